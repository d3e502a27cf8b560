"""A wrestler whose network was trained by PPO against copies of itself; see policy_evolve/learned/."""

import math

LAYERS = [
    (15, 0.0176427, 0.00150976, (
        "08140506effa01feb00ffe11ff0ee9f201ff09f309020d110605fa1605120815fdfc0704f4f2b4f5"
        "f5f606feeafa160cef05fbf2ecef020107e80cecfff2f62afb00ecf2b5db04e50cf8f30906fd00f2"
        "fffff4a0ea021705ebfd01ea050c04070d193ef402f7fc0200020af4fe0602fe0a89eff308f503eb"
        "f7fa100400fc1027d00afbfdfc11fb09fdf8ff0a07f1edbaf20514f4fdfaf3f50b0ef4040b14b8fe"
        "f6e50904fce80a0b06020a0400be0ef50b08f9f2e9fefdfe05f6051c2ffd13110209020e0a00f514"
        "01f3e5cd0feb0ceffbf0d5d0051afafdff0f20262009fbf31119050703eaf8faf4270af603f2f504"
        "ee0b03e7ff09081f03fcfaef0b141409d8f20bf702f1e6cef70507f4f8f7ff0d09fa0112ee08b9f8"
        "ef07fc16ffe4f50305fe060913be17ee081005dffefc1010060400f9350a1d00f6ff1702d3f2f9fd"
        "f1f1fd351619f405060dfbeb01fe0314f6023e001ae00af4ffd645fbe7fcf3f108062ee30bfbf6fa"
        "05f21a07ff0d09181ef509f20ffe14ede202120af4132ba716ff0f03000a0602ef05f5f706df4bf7"
        "f40ef401052304010d1aeafce614ffef0407f8fb0cecf6ff0bf9e9e2ddfefa14e409f31809f5fd09"
        "f008ebfcff140af601fb0bec060cf80c042e0a02fef716f509fbe50602fb020510160818fd040f07"
        "0e3defe40a180913f4eb10f91706fefaf60d14f90e0a04ff03110508061004edf7fd0900fefb5006"
        "f0f7fc001df50f17f70307070bb905f7f3ecfdf301de05fe02021af949fe1200faf41223eff1f30d"
        "0ffcee0404f6050210fcea2d0ae5f4feff10d317ecf5f3fcfb1307fdff04ececedcc0905060c01f6"
        "2033eee1fefe08f3f0e0e70c110bfff50b13f70705f613b20ef5f50ff3f3eef40810090003044100"
        "f70df7030affe8021a0cf1f8e032140704f402010907f3f1fa04f0d42dfe1e14ffff0afc20e8fa0d"
        "ee0b04eff1ebfd0c01fdfafe050e0ff6041b3f00080def0712031febfd0614040fc211f501f2f2f4"
        "f605f6fb0d0b01f8a302fcf803f90d03010ff9faf90b08a702fff7f2fdef1b03fa0f0210f2ec2708"
        "fa08f5fafcefea0502fb09fa1f30f805ef15f318141df8f8ff050b00cefbfcfefb01fb14ff00f810"
        "fef9e4cb04f31efbf3fc0dfffa03ed0af9f67fed000800ed0803f5fff809f603fadcef0612daf3f0"
        "03f71205f70a08f74bf6fd07f60801db3717edffe6fb0de310f30702f2fffcf505f8fdf8f9321f02"
        "fcfe15040011e3e116000808052bf4feeb0202191308ecf80d0bf6edef04060fef07d2eb0713031a"
        "03071a53050a0001f408fef9f0fa090812ef09f7fefff802f809f1f403f5fe01cfc3f2000effefeb"
        "35e1283381ddb2ca150d1b4025f5b61df309412705c3bfeed472e31d4727d9df06cd1941be06e6f9"
        "361dfee6d43827dce86233e3ffcdcf5cdba8d8fa5224f9d1"
    )),
    (64, 0.0107246, 0.00127858, (
        "fb1af2e81cf8001b001f32ffe40709e222e3f32feef1ebed151ad915e1ee31f51302eae60ef6dc1b"
        "1a1de5e3ccf607062500f4f40e29e308d10f23fbedfbd3f9d705ec0defc611c7e70dcef0f1f81024"
        "06fe05d81f2022c7fbc42e050721d527ef0f1fedf000ed24cbde212631f304fcdadb12fbe9fe5109"
        "03c5e415260c07fd49f62217383add3c222d322bd919cce4f01c1de8efc41717ff0ddb0811fafc05"
        "0606be2cf3f808283936cdd7f7ffc21f3826d6e50e01d4fce62cddf509a2f522cc0ed9e3f7ee15c2"
        "f9fe07e108bb1ff302d3e1ebf1fd10f819de29e0dceb15fc16fe0af918e9f9fdd0c00be3fef813fc"
        "f0ef0926eeec2feb4ef22113ee260e0517eaf745f2f3ebe0fb19e3091b3d0627e5f5f9e40903f128"
        "dae72d0f1831bf08fbe60d0409edf809f8e7403619ed2610f42620d9f2fc101626ddc0f2330008ea"
        "ec08d20402040ed6cc1fedcdf4f90118cc07e7cd1e252aa8f4e60e1d1b15f918dd1201e2052ac7de"
        "fcc5f4182ce6edd9e31c2b1a0107400d20aacdf1160b0cfcc103cff9dfc123d2ece5d9eb15b2380b"
        "09f5e1e1f02325f705e0fb18dadb0ffa0ae644e320f2cfecbfbf420313f10bcbc7e5f828e4e34208"
        "11dd2228f62e04e531dde80ee5fb0228e519fa0aed32fefcf5fb0fe50df2d0e7ce102bed3a1bd80b"
        "eae8fa24001bfa1200c5202d300c1cf2cb1713ccf906eb4e1905d0e111ea010df715cbf6e6c84ac5"
        "eac012e021a342f601d4ece80c160dcf03f7e6f6fafa09380c18fdd246fb01e7f3e51df9e8f423f0"
        "eeccd11be6d811ef2ff21f1ee644ffcfce16ccfce1b733b3e4e9d8d600de4302f1f7e6ec0529fcd5"
        "2fe22013d4fb052ddd07450232f3eccce3c72e26ecee39e1d4db1014efb650ef29001b26dd3e14e6"
        "30ef5a1e092cd634f30b0612de3de1f9dffe0b18d7e8f62cf30ef71b3f0dc7dc04fa1030d3231810"
        "0afdde000e08f31d280f1fd5053ae01fdf08cce316b5ec22f91ce40dcbd8f7a6f7f0e30210f6150e"
        "edf403ff0f380be0fdea571d060704f5f70b33e2062ae60ee3e4194328f20ee4ddd4f414f00f370b"
        "1cdbfb09f6360405bae3c2f3dbe310aaf9e4d6cf1de342dc0ee6e5eafd1606ea09ed2e13feee0f18"
        "e4df3ba71feae6e8e4c02b2d0f0a19dcc9aa1331dc0849e91eef062711371dd2e7f5e228f5d015af"
        "baeef3fbf8fd1312e028c3d5431122e6fac930e3fd11f30de10027e71a19ee0ae0de092529e8ffce"
        "eedf211bf501420806bb0d0b140803f711f632150f29d95a0a071814f515e4f810fc0e0ee0def103"
        "f928c0e116f614191f17c715f1ec1623392aafdbea0dc91e3754f8fc1411a70ed12c0af605da0839"
        "25eeea2cec18e80c101c03e5fd4ce104ea2a13fe0812d80bd1fefb0d3ef3c2f7e2e7ef21f9fb0d09"
        "fee71a281c160725211f1ddbde06db49e0f5ffd21af4082e21f15b0c302ecf20dc320108d13fabff"
        "fcf90404edf0e510c8e8f41220f8ebb7f9eef80bb614221b0934ccf6f6ebd31d0c2705ea1212ffff"
        "fa0ae51304bd192219ec260a46460660340f1615d11ccdeaf6f00810f1d1d128fb2ad90013f00c03"
        "35efdb16fc10080b1d23dde0be0aec270e24e3b8270fb417de1d05de05f0292813eb02f40c091a38"
        "40ec3902cbf6efe905ee1620e5d5fd1d1519c1ededf710f842fce113e3e732ef084deadec006fe05"
        "142ee23b1ceac7fcdf0f1ae9e2d3f106012312d51617f0f90d070bf6e6d025f924e80412f00a37f9"
        "300fe7e4c4ebfd0420f8fcd612071f07f82ccee6f200c1ed1def0524fcd607cdf3e91f14df13f0e5"
        "03fa4c320b46cd12e614f514c22cb320e3144017f7c6ee18e81af8171819f8b4f3d0ed13c60c192b"
        "1717e3e2f7eac51a10032be60010dd2b000dd6f41ac5011b12fdfe14f10af44421f60e2f0311fbf2"
        "23db0c5ecbe2b82f1626e3e8e5f1f9fa1ff6eb0fd6e210e41a4500dad51e041025e2dde4f711d7ec"
        "f5470ae1e5ec121af11dcdf102e800c90cdf0d1131f960e21202fc1a032c2f16ea2bd6def5c3061b"
        "ee3a12edfce10610ca2c14e4fbe704f8f8e1fa29d4d91dfedbfe1ce4d00de4ed080ab407bec41bc0"
        "e6d7a8fc0ef41e0cfeefd8df4b372ffcfed637f2fe03fc0dd2f735cffd0ae5dfd0d8372827e32304"
        "ebd92705eae42cfe40f00707fc24f9d9bae1dbe4f2f014bee3e1dcdb22e11925e4e9daf01b2c22cd"
        "0acc2801d3ebf41bcd1938d7331ac8feeecd243d20de1fefbfc4142dd8f2350d2cc5f932031bf9f6"
        "0e17ede3fc18eb224de63324ee080d00130fe82af717e5e5183f93e3f0f02521f601ed1115fb3609"
        "f42ae7fed4f316082333abfdff0bb111ea0315e3f8e0ecfcb801bfead3d043c2f6e1f4cdf9dc3023"
        "13d3e5d31e2d20e90dfb2af4eb080ef3d71d33e34413dce7cbcb3f11fd0938cfe7eb0221d0ef39e0"
        "20040d20002321d51a083ded2c05f9471f0f332d052ec0f926f61e0301c7ec3bf90abafdf1030fff"
        "1df3d320eef547ef1b17e3ccece3dc17321604f50cf4d4eddd19ebdfe2effb13f5e2d221feea1b37"
        "060305e0081af50eeb0e17e60a0df203eee41c041c00d2f6faf91325200b22ff02e8f00ef81020f6"
        "f31d27ca19fffd4438f5c10831ed1ffb36f62ee8282bd6500b1c123606f5ebf513181904eed2de22"
        "f641e3fb01fceaff28e6b01ddb0813182139c1c2cd0d0d38312bf610f803cb11c92602c509d4071d"
        "eb1a00e5341c1eed0bcd0cf310db110514e6ea19fff809e63efee402c3fa33f92efff8d6f3080b18"
        "effaebc9ddfeca010efbfc3719db1cb9e32b081bd2f0e00825e01936fd23d036f0470728e84eca25"
        "e7190cfcfa0ce311f42efc1f2ef2d8c703f0e22ed5142a151315f0fd00f4e41c09f614e12027baf3"
        "da09d8f41dc900413bfee60fd907c017faeef104112cf91810f90ef9fbafb83ae80a03000ef0f4fc"
        "240ddb23f3042ef1ff2d2508001522100d11efc223efd809ec47fdd70c10ebf90208fc1dedee15e1"
        "f421c5f80cfe1429f0f4e4e327e10cf9cdd7521f290ae7e4e10223dc050aea020bc3103d47ee19e2"
        "f2c93002edf45c0c33f2ed074514f92ef6edf9f729e60e100c1a39d6f7ebf2f201210303d21500cf"
        "0b08f6eefc1b1309f70a13e70e4acffdeff4d31bfbebc9ed1e11fa07e6f2e112e8c3e7330ad5240d"
        "2e0748031e22cf160f24df15d7369e18d8f404f8e6cdc71f051306ff2503f5f01e05f017d0062513"
        "4f0eeed2031eecff121508c51319c3faec17f1f913d3f515c21fe4fee3d319a3dae2d0b012f63c0e"
        "040ce6d2152b32e423cb36fa05061113ebfb48c02120c3fbe6c01f32fcd81ddaa8d20521dd0642de"
        "34d1010bf91a020841034a022421ae43101c3219f001d2edf401252a0ceada2df31eea111905e80e"
        "de09d115dff826131444eabc04fbc515262cf9ed2b11b4fdbe0becc321d005314c06480b2555ea71"
        "00411912002ed9f6081e2422f7d1c327f939bcf516fd0c011204cc25f2e80b331534d3d8f729f114"
        "461ce208370fac1ae60cece102b71720e4e9d301e79d0e93e4e0c3e600f5301afdfadff834171dcf"
        "22c42e22fddffbe9def856e2181adb06e0cb29242c031ce3d2e01415d0f541e53dcee818f4410ed7"
        "1af420094f20e637bb2d071be425e100ef382a16ce0c2301e91115112ff4f7e6d102fce0d100011f"
        "04f70820fc0bdc002c110df8f11cdb23dfd3dc0029d0ff75e4e4edf5f0e609dfda04cfe9ff1a13ec"
        "ca1011c01d34fbc8f7d830152222fcfde50803da350ec50de0d0f5172dda0dcfea02250ee5043311"
        "19bbee30150def1dbc16eae8c7c30cadededd3ee0df22112eef1f5ec16182eedf9c834070df8cff2"
        "d1ec2dc40d17b910eac9433f000612d2debb181103ed47e82dd9f923ed1e09fff3b0f40ed3fbeb0c"
        "ec36eaf3182f1aeff1fa04e508f5f2e6ecfc1f1a3041d1d3f3f7141ff6120ffb1dc12c1afc0e19ec"
        "f60dfbc20506ff5b2bedfeef27ec221831dc6434142de02ee519eafed65cb324f2f53dfcf3e1de03"
        "e4023b0e06fdd2810dd6100ce30c13034deff6eb080dd224f01a0fd719290f10fe00f8f022c00827"
        "bcf8b301edea20bee7e4d8e10bba13fb16e3edba2e0f00ef14f6120ee31ff913f70740cd330cd6e4"
        "ebb2fa2d0b1529e8cae40500f9fc50e449ca1331f11ee8fd42f8340f0644d7470d252040ff0fe2ec"
        "ee322e2bf9e7d41dde0fdbf60aeeedff0f20d417c309233d2f1ef2ece8eee1ff433802d30725cbe6"
        "c314ecd403eb0a0cc9f8e2ef04e417dfdce8f0c7ffee1e0dfdfbe7f81d3a32ef15e012fd08fe1b13"
        "e1f509fc0b24cf03e1dc0207fdffdae1f2d4fa25cceb64eb21b30931122ce9f5b71ed9e40fd926f7"
        "02c804d6149e30ec1be1e9de040c0df533050cf7f1e82510120df9ec17e4faff08fd111118df0efa"
        "11dfed25f9ce2ae603e81d07c71716c9e2e6f0040ce814bddd08dee00bf31e2dd81af1e60d1321cf"
        "ffe417031e26faf8cb04f9cb1615c609ddcded2156eb12f4d8fe17e700ff3ce722bd0c16fb060507"
        "3b071a13f121e42cee2eec220438c4e8e31c173cf6e1e909e123f409290af3eaf2e9fe3d020e2d22"
        "0b50230b0cf9f4211f360fd3f42cd6fdd80bebd421c8ef3844f938033327d3340518fa01f62acb02"
        "defd3c0fe9d5f311c921def8e907f5f80ef5d641c1fd19201e28c0ecfaf8cf085510ebe22932b8f5"
        "cb1cf0c817c6fd24f001dd11bdd5eeb8dceee3fb1ef52510e9f1ebf3311f4eedeeea30e409ff0c0b"
        "dff032ed15e5ebf2d7d41d2734eb33dedede0903d9d55cf30ac3d10df33710f8bbffc6e5dad73aad"
        "eae30ff636d33e1103d4f6cf1c290acd29cf27ea03f31402f2ea6ae50ee8cbdfcae62b22020121f1"
        "dcd90316e9cc3bf229e819150242f2d6c9fbc4ff06dc04c409c4efe109cb24083300d3f602242ac2"
        "f9d92cf6050f03f9f7fd460532e7d9e2d3d8300eece922dbddc8192bead52ae32cdb1223e339fddd"
        "3c01fffd0c51ff541425121dec17edf31bf51d22e0c3d33ff70cd6fb0b12f1f0070ada35e4ec3013"
        "352ed4c2e504f034252bd7011817a60bae1affefe5f7ff1510fc4a190c35d94afd201118d736cce4"
        "ed231525e9e8ee2ad624f317fa03f3f20f10e80fca010d291f22d5de1804e520261ae8ef0be3badf"
        "e316efc723ddde15fc04efeb08fa04cfd5f303cbf1000c0be12ee9ca3c2720d40401090a0a26de03"
        "ef051de8f10bbb0c07da0c1b4ac908dee70a1c01f1143a1230cadd43211a13261dda1e140a1ef405"
        "f5250e28df38e0f817112333e10ee929da22f3f52ae5f10dfed7ea39e6222416312402030cf8fb07"
        "293408e6240bc119d213eee91cd7f826e72f010625edfafc18de21f301c024dc08d105f1fa0328e3"
        "22e7d7eabb053103030103e8f423fd0501ffffd400141201fae10e350bd720c7f4f72a30e51d09eb"
        "f4f61820f9f6f4cbdb16b9f1ffe51a08ee0dedb72013f411d1bc3aeb0314f5ccf20d02f2f5f1f0f2"
        "09de281e35120207ebd92be9f7f5381620dfa2fd1c04f61b16dc2e0b0c1e0d672c2042dee609c4ff"
        "0909ffeccbcdea02063be0eaf2f5130818f2ed21eef92d171629d9c5be12dc311133fdf8241dd91e"
        "fb200d02d9efe40ace2d00e508f31aeb04df27e706bd42ff23f0fc031e032deafde30e10c6e72a21"
        "29fd0debfbfe01cee6fefce7f417fe0004e2fd17d8d4ffd004dd164bccef12e726e320032210ba4e"
        "043a2231d83cd504e82d4353fafceb2fce28c3f834fdf5061401fa26edff31131e3afcf2f50cdd3b"
        "4531e9f90820be17c83be9c7f6daf425029fbcd059bc137f1623f5e622be2c17d959b7b2c17690c5"
        "a26a14c9492f90f13f20043ac23513d1e21cfa4dd40b08991acde014abf2f45fe4eb0ac6c6f1f92f"
    )),
    (64, 0.0074795, 0.00157732, (
        "f614e3da192c261ff3020f201a29de2dfac5caeafdf40e1c290210d6ebe7ce13df33130a3106f21d"
        "32362c16fa0d161ee2281af0310e04d7f82b16de03d0e108e1140e021505fe0aeff40efbfe14f310"
        "16f1e90912f90304fdf7ed03faf8f10bfe13fdfb0e08f7010b0909f50ded08feff08040b1002fbfa"
        "130d0bfd18e9fa14e10f02f5160cfe0aeffe0fff0015f50b16eff00017f6f603fef8f6fb09f2f30d"
        "001202090e0fed080b0a0afb12f20304f50a030e0efefff5090c0efe0df4ff0bee110dfa1908f907"
        "f7000701f813f00511f9f6fe0df7ee0705eeff0209f2fc08020ef9060e03f306fa01fefc0cfbfcfb"
        "fd06ff0a120000f2020803fe0ff4fa01e2170cf61e1a0206eb11170dfc22ef131ce9f2fa12e6f81b"
        "08f208001bebeb0eff120d060516fdfd1e1e03000ee4140af81d03031d040ceff91d13fd20f40318"
        "ed0c09f50c0aff04e6f114feff0ef30613f6e80015fa03fb01f4e9fefa06f210f3160d06031501f8"
        "1d110cf50fef1107fa0e091111f7fb010e1605ff16f10116f712f3f41411ff13f10c08101416ee0c"
        "02ede1f904edfd1213f108f300f1eb0e011cff0513fded180816190a0902ff06ee1712041200f7f0"
        "021b01ef12eaf401eafcff04161b09fff0fe0608fc1bfcfb04e9e5110cf514080f00fdedeaf8f903"
        "e6170cf50805f8fb081309f4f7f702150909fffb110404f4f40df30708f40c090011faf4190cfd07"
        "eefd0f111319f50b09f5defa09f4f9140aed01f20303ef0e0a1ae9020505ff090614130f08fc07fb"
        "f3170f0f0df5f4030b1603f91be4f10eecff12081508f80ee9ed07f7fc10fd020bf2ef1019f812ff"
        "fef7e409dd05f711ff13e9f3060afefa040703ed07ee08fcfd0c0e110afdf4041810ecfd13eafb15"
        "10f4fcdb10e7df30dae12b0d12eb062f0516e9dc1517eff4e6f3e2f40d13d22b1b12eb1eec1e1cf3"
        "2401072223ed26e2d9fe2b24f1dfda1620fb1ad901f4d82801f8f0f10706060ffb0aff0ffd020509"
        "f5f2f7f6faf30b0f0e110ee700f7ee04f1fc0efd050efd060111040bf2000811f60d07fb09ff06fa"
        "eb040cf2f60405070106f4f507fdfa080303fd080401ff02f7f6eff8f4fc0b0d0006fdeff7f4f002"
        "08080cfb0a05000cf70a0f00fb0402fbfc020b0704f9fcf803fb0cf6f7f3fefe0e09e0f41de8011d"
        "0e27f81416f0de1aee06fce0eb05ed270df61ee625d1e5041712f9ff19eadd2beef61e23fc18ecf5"
        "edfa00f4000f0ae8edea11dbfa0beeeff909fa001d080803ee1109030211ef0706f4f8fa06ef0810"
        "0eee09f60af6f80a0314f2060803f407030702040002020cff0dfb03120b05f4f708010318050306"
        "fff732d618e6d45ecdcf37e5d0ee2660271bfec13118dbe6d410c9244127aa3922f3041ed7382ed3"
        "48f9dc4321c132d8cb013b30edd0d52c2e0237b40f00c44119e1e9dc0de0dd2509edf90df1dd1b1c"
        "e515fce7f217fdf6e614fcdde30eea0b1bfee714f50912fadcf6e41ce31009dde2e52114e9e5d115"
        "fede08d8e007d0fc0bfbe8e903f4eb1012170203fbe6f80ff91619dff30ade0b010217fa28eafa0a"
        "12ee0d16fbf7f515f2f3fb1a0d14f7f1e1ef0bf7f4fdf8faeef11feef01df4eafe02fefdfe04ef16"
        "0907f904fafcf1fdfb0202fcfe0aff0701fc02faf5f003020803ff0a0bfdf912f6fd07030a0bfef1"
        "f9fd0702f9fdf8f704fefdfcfe06f3f20629e80c1d0f12191025f51b1913cd05f5e7e0e2ebe5fb30"
        "26e11be517d7f4f9152bf8ee24f0e029f81c2c17f414f7040518f4eb251c16d5f508f2f10ee6fbf0"
        "0adf09e7faeeea13e3d61004faeb1811ff07f1f2191904e5e813d8f7df1ff0151104e015eb221ee0"
        "0f00f30213e423e5e9fd2320f2e4d8201ff915e6f7fbdd23fdf613faf5faef0303e602fbeaf70a00"
        "ff0109fc0b09fbfaf50fef0efa05fe0b0bfa040af90614f0f7f8f2f80ef60df3f5ff0f0cf9f0ee09"
        "07fa0ff9fb05f2fd12e8e7f8f4ebea121718eb02fde50a01e41612eee80f00fef91815f2faf605f9"
        "0eeaff00eef2fc09e3ebf110f019f8eff1eb09f9f1faf50df1e6f9eee914f9ec0ef0e0fb07f90c10"
        "1e18e51e16f2edf9e2fff5f1e3160f1c16091bddfbe2f3e80ffbeff417eeef21e6fe1c14e61eeef3"
        "0af6fae8fd130ae5ece9f8fde6f9fbe6d73de3284f3622121a29f0211f3fc9e5f0ccc1eae6c90137"
        "2eb221e63ecfe7dfff62eed227e3d42aff2e3134e81be527242fdada322d2ccfe035d91a59cf2ce4"
        "fffe21ea00f5f300dbe129eee6f91a1c290e0cf11d00f0eef003e6160718fb2203ecf50ce7221bdf"
        "1a00ebf219da1cf9ec07191af9ecf213170c17ee0c06f22bfcf60704f8ece3fe0cebf6efe6f212fa"
        "f9080c04ff0906f3de10ea11f00b01fd17f5f2f9edf906f2efefe7f1fe02fbeafdf20c06f2f7e819"
        "0def04fef603edf90de7ebf8f1eaf10d1610ed0403e304ffeb1b18e3ec1eedf7f2fb18f517fc0dee"
        "13f3f211edeb0502f1e4f91ef018eceffcddf5f3e5fcf90ce9df06f6ed1bf3e610f8e90ef0f70f06"
        "1520ec071ceae2f1ed0f13f1f00702081eec1bf608e50ceb0df8f4f81ce6e327f4ec1519ed16ebfe"
        "0cf0f0e6f21c0fe1f2f0e802f21003e9f231f21a072c18ef0c16fb0f0e2bd5f101d8ec0efbd60c20"
        "19da0df214e503f0eb2202e518f1e41804171c08fd08f31a0f13ece9251d19e6f615f1161be814f3"
        "05e238dbe0e9dfabafd73acbc3ee2adf5d112d1a610bb6e2e546cc32cf283141faceeb1bdf4420cf"
        "2aeacd8f5b9f40ecdff2302ef1dfdf2033f7370bf128fb5f0ad4720be4f5a3e84082bddd92e933db"
        "c71e1c2cb91423d7c3339c2fec3c21bc1fe5f546c22251abe2f0b9e0951314de3eead14fe781be39"
        "34edf529e02b2ece10d7f530dce53fe22b32dcc621d94cdbdf472e1cda122fccab204543f85920d4"
        "15d200bd95af47afdee5bcf9e443b2e029e6d0a9cc37475bc1eac425e32f2ac105e3bc2adcbd45db"
        "153dea0745d100e1f211322af03911c6700135d9f0c024e69fd339dd66d79e5be7b049edf620d769"
        "1bbde4ccd44738a6ccbcda28e3141de51151d82bc36f25c40d1df43c2460b8e3fb94d943faa43c5f"
        "25df13d4d0ce25ecc00b36c42ef1c536f44d37e3f109ec301e46e8e860271ed9e944e525f7b325f5"
        "3d9dd3d1f5d1f7812a915af8ee54e3715755e6183be6344c38fadf3530c4d6f11be1c7"
    )),
]
"""Of each layer the number of inputs, the scale of weights and of biases, and both as signed bytes in hex: first the weights of
the first output, and so on, then the biases. `policy_evolve.learned.written` fills it in."""
FORCES = (-100.0, -50.0, 0.0, 50.0, 100.0, 150.0, 200.0)
TURNS = (-30.0, -10.0, 0.0, 10.0, 30.0)
HELD = 3
"""Steps for which a decision is held."""
RING, FOES = 1, {"team_0": 8, "team_1": 10}
NEAR = 100.0
"""Units below which the other disc, at the first look, tells that the match did not start from afar."""
STARTS = {"standard": (0.0, 150.0), "middle": (0.0, 30.0), "rim": (140.0, 40.0)}
"""Places of team_1, from the ring's centre; team_0 stands on the other side of the x axis."""


def points_of(view, code):
    """Returns the points of a colour as (ahead, right) in units."""
    return [
        (157.5 - 5 * i, 5 * j - 97.5)
        for i, row in enumerate(view)
        if code in row
        for j, seen in enumerate(row)
        if seen == code
    ]


def fixed(point, heading):
    """Returns a vector (ahead, right) of a heading in fixed axes."""
    cos, sin = math.cos(heading), math.sin(heading)
    return point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos


def turned(vector, heading):
    """Returns a vector in fixed axes as (ahead, right) of a heading."""
    cos, sin = math.cos(heading), math.sin(heading)
    return vector[0] * cos + vector[1] * sin, vector[1] * cos - vector[0] * sin


def begin(memory, observation, line, foe):
    """Guesses at the first look where the disc stands, by what is near."""
    start = "standard"
    if foe and math.hypot(*foe[0]) < NEAR:
        start = "rim" if any(math.hypot(*point) < NEAR for point in line) else "middle"
    side = -1 if observation["id"] == "team_0" else 1
    x, y = STARTS[start]
    memory.update(
        heading=-side * math.pi / 2,
        place=[x, side * y],
        steps=0,
        foe=None,
        foe_speed=(0.0, 0.0),
        age=50,
        force=0.0,
    )


def follow(memory, speed):
    """Takes in what the last step did to heading and place: a push changes the speed along the heading."""
    before = memory["speed"]
    change = speed[0] - before[0], speed[1] - before[1]
    size, force = math.hypot(*change), memory["force"]
    if abs(force) >= 40 and abs(size - 0.1 * abs(force)) < 1.0:
        memory["heading"] = math.atan2(change[1], change[0]) + (math.pi if force < 0 else 0.0)
    memory["place"][0] += 0.1 * before[0]
    memory["place"][1] += 0.1 * before[1]
    memory["steps"] += 1


def correct(memory, line):
    """Moves the own place until the ring's line lies where it belongs, 200 units from the centre."""
    x, y = memory["place"]
    shift = [0.0, 0.0]
    for point in line:
        ahead, right = fixed(point, memory["heading"])
        px, py = x + ahead, y + right
        away = math.hypot(px, py) or 1.0
        shift[0] -= (away - 200) * px / away / len(line)
        shift[1] -= (away - 200) * py / away / len(line)
    memory["place"] = [x + shift[0], y + shift[1]]


def spot(memory, foe):
    """Takes in the other disc's place, and its speed from two looks that follow one another."""
    if not foe:
        memory["age"] += 1
        return
    middle = sum(p[0] for p in foe) / len(foe), sum(p[1] for p in foe) / len(foe)
    ahead, right = fixed(middle, memory["heading"])
    found = memory["place"][0] + ahead, memory["place"][1] + right
    if memory["age"] == 0:
        last, old = memory["foe"], memory["foe_speed"]
        memory["foe_speed"] = tuple(0.5 * old[k] + 5 * (found[k] - last[k]) for k in (0, 1))
    memory["foe"], memory["age"] = found, 0


def features(memory, observation):
    """Returns what the network sees; policy_evolve/learned/vector_wrestle.py has the list."""
    heading, (x, y) = memory["heading"], memory["place"]
    velocity, centre = turned(observation["speed"], heading), turned((-x, -y), heading)
    away = math.hypot(x, y)
    outwards = -(velocity[0] * centre[0] + velocity[1] * centre[1]) / max(away, 1e-6)
    place = speed = (0.0, 0.0)
    if memory["age"] < 50:
        place = turned((memory["foe"][0] - x, memory["foe"][1] - y), heading)
        speed = turned(memory["foe_speed"], heading)
    energy = observation["energy"]
    return [
        *(part / 100 for part in velocity),
        *(part / 200 for part in centre),
        (180 - away) / 200,
        outwards / 100,
        float(memory["age"] == 0),
        *(part / 200 for part in place),
        *(part / 100 for part in speed),
        min(memory["age"] / 50, 1.0),
        max(energy, 0.0) / 1000,
        memory["steps"] / 500,
        float(energy < 0),
    ]


def unpacked(layer):
    """Returns the rows of weights of a layer, each with its bias."""
    inputs, weight_scale, bias_scale, text = layer
    numbers = [byte - 256 if byte > 127 else byte for byte in bytes.fromhex(text)]
    outputs = len(numbers) // (inputs + 1)
    return [
        (
            [number * weight_scale for number in numbers[row * inputs : (row + 1) * inputs]],
            numbers[outputs * inputs + row] * bias_scale,
        )
        for row in range(outputs)
    ]


NETWORK = [unpacked(layer) for layer in LAYERS]


def decide(values):
    """Returns the most probable action's number."""
    for number, layer in enumerate(NETWORK):
        values = [sum(w * v for w, v in zip(weights, values)) + bias for weights, bias in layer]
        if number < len(NETWORK) - 1:
            values = [math.tanh(value) for value in values]
    return max(range(len(values)), key=values.__getitem__)


def act(observation, memory):
    """Follows the own place and the other disc's, and holds each decision for some steps."""
    view, speed = observation["agent_obs"], observation["speed"]
    line, foe = points_of(view, RING), points_of(view, FOES[observation["id"]])
    first = "place" not in memory
    if first:
        begin(memory, observation, line, foe)
    else:
        follow(memory, speed)
    if line:
        correct(memory, line)
    spot(memory, foe)
    memory["speed"] = list(speed)
    if first:
        force, turn = 100.0, 0.0  # its effect tells the heading, which the opening has turned
    else:
        if (memory["steps"] - 1) % HELD == 0:
            memory["chosen"] = decide(features(memory, observation))
        force, turn = FORCES[memory["chosen"] // len(TURNS)], TURNS[memory["chosen"] % len(TURNS)]
    memory["heading"] += math.radians(turn)
    memory["force"] = force
    return [force, turn]
