enum {
    NUM_PLAYERS = 2,
    NUM_DISTINCT_ACTIONS = 97,
    MAX_CHANCE_OUTCOMES = 1000,
    MAX_GAME_LENGTH = 10
};
#define MIN_UTILITY 0.0
#define MAX_UTILITY 10.0

enum {
    AGREE = 96,
    MAX_PLIES = 10,
    LAST_PLY = 9,       /* player 1 can only agree or end with nothing */
    POOLS = 31,
    NO_POOL = 31,
    LIST_SIZE = 40,     /* at most 36 offers and "agree", rounded up */
    OFFER_LIMIT = 36,
    ENTRY_LIMIT = 256,  /* instances of one pool: fewer than 250 */
    GROUP_LIMIT = 32    /* values of one player that are worth 10 in one pool: at most 26 */
};

/* The instances by pool, eight characters each: values of player 0, values of player 1. */
static const char P113[] = "013/132 730/042 X00/132 611/013 132/0X0 251/640 190/701 341/190 312/222 0X0/341 222/312 550/103 611/042 910/611 132/460 701/161 611/132 103/251 341/132 341/103 0X0/222 370/341 280/402 910/341 103/550 431/280 402/640 071/312 251/701 341/370 312/910 190/431 611/0X0 611/521 103/190 103/132 312/X00 640/042 013/251 222/611 611/222 280/312 701/071 370/611 312/132 611/550 312/611 190/402 312/161 161/0X0 402/550 013/701 132/042 341/042 161/431 550/251 341/640 730/701 280/103 611/460 730/103 521/370 042/402 370/431 071/640 013/910 251/X00 0X0/521 701/910 042/910 370/161 103/611 280/251 611/611 161/370 161/X00 402/910 103/341 042/190 521/820 0X0/611 071/251 X00/161 103/222 521/312 042/521 640/402 ";
static const char P114[] = "421/460 460/022 061/151 112/550 511/241 511/730 151/460 151/061 0X0/511 421/112 022/280 421/910 511/460 331/820 601/280 280/061 022/370 730/112 550/331 190/421 421/280 151/112 820/421 421/190 370/421 511/601 190/601 241/0X0 280/151 151/241 820/601 331/X00 820/022 820/061 460/061 550/241 112/151 421/601 112/820 202/022 190/112 280/112 910/151 280/202 730/241 ";
static const char P115[] = "321/280 321/820 X00/321 141/411 051/820 501/550 231/730 051/231 820/141 910/141 231/640 730/141 0X0/141 141/X00 501/190 411/550 231/820 321/X00 231/550 231/141 051/910 550/231 051/501 231/X00 141/321 501/910 411/460 ";
static const char P122[] = "231/403 403/213 611/810 421/032 611/014 041/412 403/231 611/041 014/801 222/222 801/412 014/611 412/801 204/611 602/810 421/611 801/611 611/204 602/231 032/810 810/032 421/620 403/032 611/222 032/403 611/X00 810/403 041/430 204/041 403/620 412/041 032/231 430/421 412/620 421/240 810/611 611/611 620/412 403/421 213/032 801/231 222/005 602/430 602/222 X00/611 810/204 240/231 430/204 240/611 ";
static const char P123[] = "810/402 810/701 050/321 212/022 022/212 X00/511 511/103 620/511 131/X00 701/321 511/131 103/430 131/430 212/240 402/212 103/131 321/430 701/511 103/212 511/701 620/131 810/131 430/321 022/103 212/131 131/022 050/511 ";
static const char P124[] = "411/601 050/411 411/012 012/202 202/240 221/X00 411/810 202/810 411/620 620/012 031/240 620/601 601/411 012/810 240/202 430/012 221/411 430/221 601/240 X00/221 221/240 221/031 810/221 ";
static const char P131[] = "222/X00 420/802 611/413 123/314 017/604 017/703 222/123 512/307 420/116 00X/116 123/307 314/X00 130/703 208/031 420/314 420/505 024/215 413/321 406/031 116/413 00X/413 307/215 215/031 130/314 611/314 413/208 420/512 017/512 901/017 710/901 321/017 116/222 031/222 123/420 00X/222 130/109 420/017 017/710 222/710 116/611 413/703 802/710 215/321 710/604 611/420 307/710 512/031 710/413 00X/512 420/109 611/604 505/116 703/123 116/321 406/512 031/208 611/802 802/215 024/413 314/710 413/314 307/116 703/024 611/116 024/406 604/413 611/031 413/222 031/413 222/109 X00/116 031/215 017/611 321/611 130/512 024/420 109/710 109/017 024/611 123/321 512/512 X00/123 109/512 901/222 512/024 321/703 109/215 505/123 00X/611 710/116 321/710 ";
static const char P132[] = "710/403 801/130 312/602 X00/511 312/221 420/204 312/710 221/801 130/113 511/221 130/221 710/022 403/022 312/113 403/113 130/204 602/511 221/403 ";
static const char P133[] = "402/112 420/112 402/420 112/411 121/402 112/103 411/411 112/402 103/130 121/X00 130/103 ";
static const char P141[] = "412/220 901/220 511/016 610/802 121/307 214/901 511/208 121/220 016/901 307/016 901/022 115/511 610/214 802/220 703/412 016/604 121/115 412/016 109/412 115/115 016/802 121/313 511/121 610/121 307/313 220/511 121/901 802/214 022/109 115/307 121/610 022/412 412/604 604/022 313/505 016/505 313/115 505/016 121/016 406/016 412/511 610/412 307/115 016/208 604/511 307/610 802/022 214/109 X00/115 220/115 121/208 406/313 115/412 214/610 313/610 115/313 208/412 901/610 ";
static const char P142[] = "X00/212 411/411 610/021 212/220 212/204 005/411 411/403 610/602 021/403 220/411 801/411 021/610 610/013 013/220 801/610 ";
static const char P151[] = "406/312 208/510 901/015 802/213 312/411 213/015 510/208 505/312 213/505 020/411 00X/312 307/213 510/015 604/312 307/114 802/015 213/X00 015/307 109/114 312/00X 411/307 015/114 109/411 015/213 411/X00 213/411 411/505 114/505 312/406 ";
static const char P212[] = "321/420 340/321 340/123 222/180 180/161 142/321 321/340 180/241 500/123 500/241 024/420 043/203 081/420 241/302 420/104 081/302 420/024 104/161 321/500 043/340 043/241 241/005 241/260 340/043 123/260 222/401 340/081 321/161 321/302 302/340 142/340 161/260 104/420 241/241 203/420 161/241 500/321 420/123 241/222 321/062 062/161 180/401 161/500 302/420 0X0/161 203/142 222/062 161/005 123/062 241/024 321/142 104/260 222/123 180/024 500/222 0X0/142 401/222 180/321 062/142 ";
static const char P213[] = "311/0X0 122/231 013/311 202/311 420/202 260/013 340/151 151/0X0 202/340 420/151 180/122 202/180 311/122 340/231 151/231 151/180 071/122 042/340 340/122 0X0/311 180/013 180/311 231/340 202/420 122/420 311/042 ";
static const char P214[] = "180/301 022/221 301/260 500/141 340/221 340/141 301/180 221/301 141/221 102/022 221/102 221/340 420/221 340/022 260/221 420/061 022/260 ";
static const char P221[] = "116/042 304/214 026/410 132/500 304/230 214/230 132/320 304/026 116/312 206/018 312/320 140/206 034/124 034/402 034/108 312/116 222/214 132/304 140/222 034/132 214/500 132/222 124/230 116/034 124/206 108/132 320/108 206/026 230/034 312/222 026/140 018/214 222/410 116/132 026/312 230/402 206/222 140/312 108/034 214/140 132/402 026/402 214/214 410/304 222/304 034/304 206/312 034/230 214/320 140/124 402/116 320/124 230/206 042/320 ";
static const char P222[] = "032/131 230/041 212/221 113/050 221/311 410/122 122/212 023/140 023/302 500/113 203/032 104/311 041/203 014/230 140/104 131/023 104/113 221/023 122/230 410/203 023/104 221/302 140/041 311/212 401/230 140/122 230/131 041/122 041/230 311/221 113/041 014/311 410/212 302/113 023/203 131/203 320/023 203/320 311/122 023/212 014/140 113/230 212/500 401/131 104/032 122/122 122/140 311/005 203/014 032/212 401/320 ";
static const char P223[] = "022/230 ";
static const char P231[] = "122/213 031/220 024/402 115/122 017/206 311/108 213/311 213/304 402/122 122/031 024/213 108/115 304/115 304/213 213/00X 500/115 213/017 00X/311 122/500 311/031 402/213 ";
static const char P232[] = "121/121 401/121 220/022 005/121 220/121 ";
static const char P241[] = "212/212 212/206 304/310 402/114 108/022 022/114 120/304 120/022 206/310 206/022 212/304 114/304 016/120 304/120 108/114 120/212 212/402 ";
static const char P311[] = "143/028 213/064 107/082 222/028 125/107 240/301 082/161 213/073 055/301 107/240 037/116 152/152 222/082 019/240 310/204 310/037 028/116 134/240 046/204 116/107 204/170 046/213 055/125 125/046 170/028 055/161 107/152 134/152 037/134 170/046 310/019 107/143 019/152 019/222 134/082 161/152 240/231 116/064 091/310 0X0/125 125/019 107/310 0X0/134 170/222 00X/116 143/00X 073/107 143/152 134/161 019/107 046/116 028/213 204/064 204/073 00X/143 028/231 0X0/231 064/231 161/222 055/116 301/125 0X0/161 301/152 152/082 125/310 301/055 082/125 310/134 161/073 046/125 143/134 134/037 143/143 028/222 082/134 0X0/116 310/064 161/107 231/310 116/143 301/170 125/143 222/161 134/00X 310/222 125/091 ";
static const char P312[] = "113/221 0X0/132 202/221 113/024 310/081 202/170 0X0/221 005/151 132/240 151/310 024/151 170/113 240/024 132/132 240/113 113/170 132/0X0 151/043 310/024 081/170 081/151 ";
static const char P313[] = "141/112 240/013 170/141 211/013 0X0/141 071/170 141/240 211/042 112/211 013/240 240/112 112/071 310/042 ";
static const char P321[] = "212/131 123/220 301/018 123/212 107/220 220/123 212/123 00X/131 018/115 042/301 107/018 107/042 034/115 212/204 204/131 026/204 042/115 050/212 131/212 115/042 ";
static const char P322[] = "211/202 050/211 211/014 014/202 202/023 211/023 023/211 ";
static const char P331[] = "301/024 114/301 024/107 211/211 017/204 211/017 204/031 211/301 024/121 00X/121 031/114 114/121 024/211 114/107 121/031 00X/114 ";
static const char P411[] = "211/106 00X/133 046/151 142/211 00X/124 151/046 133/064 160/142 124/106 106/019 220/106 202/142 133/073 142/037 124/028 106/115 046/133 115/0X0 073/106 142/055 124/055 115/142 160/115 115/019 151/202 151/115 160/091 115/151 106/220 133/133 124/0X0 220/028 202/019 028/160 019/106 106/064 211/0X0 037/202 064/142 202/037 ";
static const char P412[] = "062/220 160/122 081/122 122/160 160/201 062/160 122/122 081/220 122/005 160/141 220/081 103/141 220/043 122/081 201/081 081/141 005/122 062/122 201/062 ";
static const char P421[] = "130/034 106/026 026/210 018/122 018/202 122/018 130/122 114/042 042/130 034/202 122/106 210/018 026/106 122/114 114/026 034/114 122/122 026/122 042/114 122/034 050/114 202/114 202/042 042/202 034/210 ";
static const char P511[] = "091/114 114/114 150/114 028/132 064/114 037/123 073/123 019/123 123/019 046/150 064/105 150/123 055/105 141/114 150/105 114/150 141/00X 091/141 019/114 123/141 091/150 150/037 ";

/* number of the first instance of each pool */
enum {
    F0 = 0,
    F1 = F0 + (int)(sizeof(P113) / 8),
    F2 = F1 + (int)(sizeof(P114) / 8),
    F3 = F2 + (int)(sizeof(P115) / 8),
    F4 = F3 + (int)(sizeof(P122) / 8),
    F5 = F4 + (int)(sizeof(P123) / 8),
    F6 = F5 + (int)(sizeof(P124) / 8),
    F7 = F6 + (int)(sizeof(P131) / 8),
    F8 = F7 + (int)(sizeof(P132) / 8),
    F9 = F8 + (int)(sizeof(P133) / 8),
    F10 = F9 + (int)(sizeof(P141) / 8),
    F11 = F10 + (int)(sizeof(P142) / 8),
    F12 = F11 + (int)(sizeof(P151) / 8),
    F13 = F12 + (int)(sizeof(P212) / 8),
    F14 = F13 + (int)(sizeof(P213) / 8),
    F15 = F14 + (int)(sizeof(P214) / 8),
    F16 = F15 + (int)(sizeof(P221) / 8),
    F17 = F16 + (int)(sizeof(P222) / 8),
    F18 = F17 + (int)(sizeof(P223) / 8),
    F19 = F18 + (int)(sizeof(P231) / 8),
    F20 = F19 + (int)(sizeof(P232) / 8),
    F21 = F20 + (int)(sizeof(P241) / 8),
    F22 = F21 + (int)(sizeof(P311) / 8),
    F23 = F22 + (int)(sizeof(P312) / 8),
    F24 = F23 + (int)(sizeof(P313) / 8),
    F25 = F24 + (int)(sizeof(P321) / 8),
    F26 = F25 + (int)(sizeof(P322) / 8),
    F27 = F26 + (int)(sizeof(P331) / 8),
    F28 = F27 + (int)(sizeof(P411) / 8),
    F29 = F28 + (int)(sizeof(P412) / 8),
    F30 = F29 + (int)(sizeof(P421) / 8),
    F31 = F30 + (int)(sizeof(P511) / 8)
};

static const int16_t FIRST[32] = {
    F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, F13, F14, F15,
    F16, F17, F18, F19, F20, F21, F22, F23, F24, F25, F26, F27, F28, F29, F30, F31
};

static const uint8_t POOL[31][3] = {
    {1, 1, 3}, {1, 1, 4}, {1, 1, 5}, {1, 2, 2}, {1, 2, 3}, {1, 2, 4}, {1, 3, 1}, {1, 3, 2},
    {1, 3, 3}, {1, 4, 1}, {1, 4, 2}, {1, 5, 1}, {2, 1, 2}, {2, 1, 3}, {2, 1, 4}, {2, 2, 1},
    {2, 2, 2}, {2, 2, 3}, {2, 3, 1}, {2, 3, 2}, {2, 4, 1}, {3, 1, 1}, {3, 1, 2}, {3, 1, 3},
    {3, 2, 1}, {3, 2, 2}, {3, 3, 1}, {4, 1, 1}, {4, 1, 2}, {4, 2, 1}, {5, 1, 1}
};

static const uint8_t OFFERS[96][3] = {
    {0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0},
    {0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 1, 0}, {4, 1, 0}, {5, 1, 0},
    {0, 2, 0}, {1, 2, 0}, {2, 2, 0}, {3, 2, 0}, {4, 2, 0},
    {0, 3, 0}, {1, 3, 0}, {2, 3, 0}, {3, 3, 0},
    {0, 4, 0}, {1, 4, 0}, {2, 4, 0},
    {0, 5, 0}, {1, 5, 0},
    {0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}, {4, 0, 1}, {5, 0, 1},
    {0, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {5, 1, 1},
    {0, 2, 1}, {1, 2, 1}, {2, 2, 1}, {3, 2, 1}, {4, 2, 1},
    {0, 3, 1}, {1, 3, 1}, {2, 3, 1}, {3, 3, 1},
    {0, 4, 1}, {1, 4, 1}, {2, 4, 1},
    {0, 5, 1}, {1, 5, 1},
    {0, 0, 2}, {1, 0, 2}, {2, 0, 2}, {3, 0, 2}, {4, 0, 2},
    {0, 1, 2}, {1, 1, 2}, {2, 1, 2}, {3, 1, 2}, {4, 1, 2},
    {0, 2, 2}, {1, 2, 2}, {2, 2, 2}, {3, 2, 2},
    {0, 3, 2}, {1, 3, 2}, {2, 3, 2},
    {0, 4, 2}, {1, 4, 2},
    {0, 0, 3}, {1, 0, 3}, {2, 0, 3}, {3, 0, 3},
    {0, 1, 3}, {1, 1, 3}, {2, 1, 3}, {3, 1, 3},
    {0, 2, 3}, {1, 2, 3}, {2, 2, 3},
    {0, 3, 3}, {1, 3, 3},
    {0, 0, 4}, {1, 0, 4}, {2, 0, 4},
    {0, 1, 4}, {1, 1, 4}, {2, 1, 4},
    {0, 2, 4}, {1, 2, 4},
    {0, 0, 5}, {1, 0, 5},
    {0, 1, 5}, {1, 1, 5}
};

/* BASE[k][h]: the offer of no books, h hats and k basketballs (0 where no pool has it) */
static const uint8_t BASE[6][6] = {
    {0, 6, 12, 17, 21, 24},
    {26, 32, 38, 43, 47, 50},
    {52, 57, 62, 66, 69, 0},
    {71, 75, 79, 82, 0, 0},
    {84, 87, 90, 0, 0, 0},
    {92, 94, 0, 0, 0, 0}
};

static const double BIAS[10] = {
    0.22, 0.20500000000000002, 0.19, 0.175, 0.16, 0.14500000000000002, 0.13, 0.115, 0.1, 0.1
};
static const double INVERSE[10] = {
    2.272727272727273, 2.4390243902439024, 2.6315789473684212, 2.857142857142857, 3.125,
    3.4482758620689653, 3.846153846153846, 4.3478260869565215, 5.0, 5.0
};

typedef struct {
    uint8_t legal[40];      /* the offers of the pool, ascending, then "agree" */
    uint8_t acts[10];       /* actions so far, the rest zero */
    uint8_t values[2][3];
    uint8_t size[3];        /* the pool */
    uint8_t pool;           /* number of the pool, NO_POOL before chance has drawn it */
    uint8_t entry;          /* number of the instance among those of the pool */
    uint8_t legal_count;    /* number of offers */
    uint8_t count;          /* number of actions so far */
    int8_t turn;
} State;

typedef struct {
    uint8_t player;
    uint8_t pool;
    uint8_t values[3];
    uint8_t count;
    uint8_t acts[10];
} Information;

static const char *pool_text(int pool)
{
    switch (pool) {
    case 0: return P113;
    case 1: return P114;
    case 2: return P115;
    case 3: return P122;
    case 4: return P123;
    case 5: return P124;
    case 6: return P131;
    case 7: return P132;
    case 8: return P133;
    case 9: return P141;
    case 10: return P142;
    case 11: return P151;
    case 12: return P212;
    case 13: return P213;
    case 14: return P214;
    case 15: return P221;
    case 16: return P222;
    case 17: return P223;
    case 18: return P231;
    case 19: return P232;
    case 20: return P241;
    case 21: return P311;
    case 22: return P312;
    case 23: return P313;
    case 24: return P321;
    case 25: return P322;
    case 26: return P331;
    case 27: return P411;
    case 28: return P412;
    case 29: return P421;
    default: return P511;
    }
}

static inline int digit(char c)
{
    return c == 'X' ? 10 : c - '0';
}

static int find_pool(int instance)
{
    int low = 0;
    for (int step = 16; step; step >>= 1)
        if (FIRST[low + step] <= instance)
            low += step;
    return low;
}

void initial_state(State *state)
{
    memset(state, 0, sizeof *state);
    state->pool = NO_POOL;
    state->turn = CHANCE_PLAYER;
}

int current_player(const State *state)
{
    return state->turn;
}

int legal_actions(const State *state, int *actions)
{
    int number = state->legal_count + (state->count > 0);
    /* at most 37, so at most 40 entries are read and written */
    for (int i = 0; i < number; i += 4) {
        actions[i] = state->legal[i];
        actions[i + 1] = state->legal[i + 1];
        actions[i + 2] = state->legal[i + 2];
        actions[i + 3] = state->legal[i + 3];
    }
    return number;
}

int chance_outcomes(const State *state, int *outcomes, double *probabilities)
{
    if (state->turn != CHANCE_PLAYER)
        return 0;
    for (int i = 0; i < MAX_CHANCE_OUTCOMES; i++) {
        outcomes[i] = i;
        probabilities[i] = 0.001;
    }
    return MAX_CHANCE_OUTCOMES;
}

static void draw_instance(State *state, int instance)
{
    int pool = find_pool(instance);
    int entry = instance - FIRST[pool];
    const char *text = pool_text(pool) + 8 * entry;
    int number = 0;
    int books = POOL[pool][0], hats = POOL[pool][1], balls = POOL[pool][2];

    state->pool = (uint8_t)pool;
    state->entry = (uint8_t)entry;
    state->size[0] = (uint8_t)books;
    state->size[1] = (uint8_t)hats;
    state->size[2] = (uint8_t)balls;
    for (int i = 0; i < 3; i++) {
        state->values[0][i] = (uint8_t)digit(text[i]);
        state->values[1][i] = (uint8_t)digit(text[4 + i]);
    }
    for (int k = 0; k <= balls; k++)
        for (int h = 0; h <= hats; h++) {
            int base = BASE[k][h];
            for (int b = 0; b <= books; b++)
                state->legal[number++] = (uint8_t)(base + b);
        }
    state->legal[number] = AGREE;
    state->legal_count = (uint8_t)number;
    state->turn = 0;
}

void apply_action(State *state, int action)
{
    int count;
    if (state->turn < 0) {
        draw_instance(state, action);
        return;
    }
    count = state->count;
    state->acts[count] = (uint8_t)action;
    count++;
    state->count = (uint8_t)count;
    if (action == AGREE || count >= MAX_PLIES)
        state->turn = TERMINAL_PLAYER;
    else
        state->turn = (int8_t)(count & 1);
}

/* What `responder` and the other get when `responder` agrees to the offer. */
static inline void settle(const State *state, int offer, int responder, double *amounts)
{
    const uint8_t *v = state->values[0];
    const uint8_t *w = state->values[1];
    int b = OFFERS[offer][0], h = OFFERS[offer][1], k = OFFERS[offer][2];
    int rest_b = state->size[0] - b, rest_h = state->size[1] - h, rest_k = state->size[2] - k;
    if (responder == 0) {
        amounts[0] = (double)(v[0] * rest_b + v[1] * rest_h + v[2] * rest_k);
        amounts[1] = (double)(w[0] * b + w[1] * h + w[2] * k);
    } else {
        amounts[0] = (double)(v[0] * b + v[1] * h + v[2] * k);
        amounts[1] = (double)(w[0] * rest_b + w[1] * rest_h + w[2] * rest_k);
    }
}

void returns(const State *state, double *amounts)
{
    int count = state->count;
    amounts[0] = 0.0;
    amounts[1] = 0.0;
    if (count >= 2 && state->acts[count - 1] == AGREE)
        settle(state, state->acts[count - 2], (count - 1) & 1, amounts);
}

void action_name(const State *state, int action, Text *text)
{
    if (state->turn == CHANCE_PLAYER) {
        int pool = find_pool(action);
        const char *entry = pool_text(pool) + 8 * (action - FIRST[pool]);
        put(text, "pool");
        for (int i = 0; i < 3; i++) {
            put_char(text, ' ');
            put_int(text, POOL[pool][i]);
        }
        put(text, " values");
        for (int i = 0; i < 3; i++) {
            put_char(text, ' ');
            put_int(text, digit(entry[i]));
        }
        put(text, " and");
        for (int i = 4; i < 7; i++) {
            put_char(text, ' ');
            put_int(text, digit(entry[i]));
        }
        return;
    }
    if (action == AGREE) {
        put(text, "agree");
        return;
    }
    put(text, "offer");
    for (int i = 0; i < 3; i++) {
        put_char(text, ' ');
        put_int(text, OFFERS[action][i]);
    }
}

static void put_triple(Text *text, const uint8_t *numbers)
{
    put_char(text, '[');
    put_int(text, numbers[0]);
    put_char(text, ',');
    put_int(text, numbers[1]);
    put_char(text, ',');
    put_int(text, numbers[2]);
    put_char(text, ']');
}

void observation(const State *state, int player, Text *text)
{
    int count = state->count;
    bool agreed;
    if (state->turn == CHANCE_PLAYER) {
        put(text, "{\"pool\":null,\"values\":null,\"offers\":[],\"agreed\":false}");
        return;
    }
    agreed = count > 0 && state->acts[count - 1] == AGREE;
    if (agreed)
        count--;
    put(text, "{\"pool\":");
    put_triple(text, state->size);
    put(text, ",\"values\":");
    put_triple(text, state->values[player]);
    put(text, ",\"offers\":[");
    for (int i = 0; i < count; i++) {
        if (i)
            put_char(text, ',');
        put_triple(text, OFFERS[state->acts[i]]);
    }
    put(text, "],\"agreed\":");
    put(text, agreed ? "true" : "false");
    put_char(text, '}');
}

void information_state(const State *state, int player, Information *information)
{
    information->player = (uint8_t)player;
    information->pool = state->pool;
    information->values[0] = state->values[player][0];
    information->values[1] = state->values[player][1];
    information->values[2] = state->values[player][2];
    information->count = state->count;
    memcpy(information->acts, state->acts, sizeof state->acts);
}

void resample(State *state, int player, Random *random)
{
    uint8_t fitting[ENTRY_LIMIT];
    const char *text;
    const char *own;
    const char *other;
    uint32_t key, word;
    int entries, number = 0, entry;

    if (state->turn == CHANCE_PLAYER)
        return;
    text = pool_text(state->pool);
    entries = FIRST[state->pool + 1] - FIRST[state->pool];
    own = text + 4 * player;
    memcpy(&key, own + 8 * state->entry, 4);
    for (int i = 0; i < entries; i++) {
        memcpy(&word, own + 8 * i, 4);
        fitting[number] = (uint8_t)i;
        number += word == key;
    }
    entry = fitting[number > 1 ? random_below(random, number) : 0];
    other = text + 8 * entry + 4 * (1 - player);
    state->entry = (uint8_t)entry;
    state->values[1 - player][0] = (uint8_t)digit(other[0]);
    state->values[1 - player][1] = (uint8_t)digit(other[1]);
    state->values[1 - player][2] = (uint8_t)digit(other[2]);
}

/* Probability that the player to act after n offers agrees. */
static inline double agreement(int n, int amount, double own)
{
    double z;
    if (n >= LAST_PLY)
        return amount > 0 ? 1.0 : 0.05;
    z = ((double)amount - own + BIAS[n]) * INVERSE[n];
    if (z > 30.0)
        return 1.0;
    if (z < -30.0)
        return 0.0;
    return 1.0 / (1.0 + exp(-z));
}

/* What both get if the player to act after state->count < 9 offers does not agree, and (as result) what that
   player expects of it. Backward induction over the instances of the pool, as far as they have a part in it:
   the types of both (groups of instances with equal own values) that are reached from the given instance. The
   groups that are needed after some number of offers are the first ones in `order` of the player to act. */
static double continuation(const State *state, double *amounts)
{
    const char *text = pool_text(state->pool);
    int entries = FIRST[state->pool + 1] - FIRST[state->pool];
    int offers = state->legal_count;
    int n = state->count;
    int mover = n & 1;
    double reward[2][ENTRY_LIMIT];
    double accept[2][GROUP_LIMIT][OFFER_LIMIT];
    uint8_t points[2][GROUP_LIMIT][OFFER_LIMIT];
    uint32_t amounts_seen[2][GROUP_LIMIT];
    uint8_t worth_of[2][GROUP_LIMIT][3];
    uint8_t name[2][1331];
    uint8_t group[2][ENTRY_LIMIT];
    uint8_t members[2][ENTRY_LIMIT];
    int start[2][GROUP_LIMIT + 1];
    int filled[2][GROUP_LIMIT];
    uint8_t order[2][GROUP_LIMIT];
    bool listed[2][GROUP_LIMIT];
    int groups[2] = {0, 0};
    int number[2] = {0, 0};
    int done[2] = {0, 0};
    int needed[MAX_PLIES];
    double expected = 0.0;

    /* the types of both players */
    memset(name, 0, sizeof name);
    memset(filled, 0, sizeof filled);
    memset(listed, 0, sizeof listed);
    for (int i = 0; i < entries; i++) {
        for (int p = 0; p < 2; p++) {
            const char *at = text + 8 * i + 4 * p;
            int a = digit(at[0]), b = digit(at[1]), c = digit(at[2]);
            int key = (a * 11 + b) * 11 + c;
            int g = name[p][key];
            if (!g) {
                g = ++groups[p];
                name[p][key] = (uint8_t)g;
                worth_of[p][g - 1][0] = (uint8_t)a;
                worth_of[p][g - 1][1] = (uint8_t)b;
                worth_of[p][g - 1][2] = (uint8_t)c;
            }
            group[p][i] = (uint8_t)(g - 1);
            filled[p][g - 1]++;
            reward[p][i] = 0.0;
        }
    }
    for (int p = 0; p < 2; p++) {
        int sum = 0;
        for (int g = 0; g < groups[p]; g++) {
            start[p][g] = sum;
            sum += filled[p][g];
            filled[p][g] = start[p][g];
        }
        start[p][groups[p]] = sum;
        for (int i = 0; i < entries; i++)
            members[p][filled[p][group[p][i]]++] = (uint8_t)i;
    }

    /* the groups that are needed */
    order[mover][0] = group[mover][state->entry];
    listed[mover][order[mover][0]] = true;
    number[mover] = 1;
    for (int level = n; level <= LAST_PLY; level++) {
        int p = level & 1;
        int r = 1 - p;
        needed[level] = number[p];
        if (level == LAST_PLY)
            break;
        for (; done[p] < number[p]; done[p]++) {
            int g = order[p][done[p]];
            for (int q = start[p][g]; q < start[p][g + 1]; q++) {
                int h = group[r][members[p][q]];
                if (!listed[r][h]) {
                    listed[r][h] = true;
                    order[r][number[r]++] = (uint8_t)h;
                }
            }
        }
    }

    /* what the offers are worth to them */
    for (int p = 0; p < 2; p++) {
        for (int e = 0; e < number[p]; e++) {
            int g = order[p][e];
            uint32_t seen = 0u;
            for (int t = 0; t < offers; t++) {
                const uint8_t *offer = OFFERS[state->legal[t]];
                int x = worth_of[p][g][0] * offer[0] + worth_of[p][g][1] * offer[1]
                      + worth_of[p][g][2] * offer[2];
                points[p][g][t] = (uint8_t)x;
                seen |= 1u << (10 - x);
            }
            amounts_seen[p][g] = seen;
        }
    }
    for (int e = 0; e < needed[LAST_PLY]; e++) {
        int g = order[1][e];
        for (int t = 0; t < offers; t++)
            accept[1][g][t] = agreement(LAST_PLY, 10 - points[1][g][t], 0.0);
    }

    for (int level = LAST_PLY - 1; level >= n; level--) {
        int p = level & 1;
        int r = 1 - p;
        for (int e = 0; e < needed[level]; e++) {
            int g = order[p][e];
            int first = start[p][g];
            int end = start[p][g + 1];
            double size = (double)(end - first);
            double worth[OFFER_LIMIT];
            double total[OFFER_LIMIT];
            double weight[OFFER_LIMIT];
            int chosen[OFFER_LIMIT];
            int used = 0;
            double best, sum = 0.0, norm, mean = 0.0;

            for (int t = 0; t < offers; t++) {
                worth[t] = (double)points[p][g][t];
                total[t] = 0.0;
            }
            for (int q = first; q < end; q++) {
                int j = members[p][q];
                const double *agrees = accept[r][group[r][j]];
                double mine = reward[p][j];
                for (int t = 0; t < offers; t++)
                    total[t] += agrees[t] * worth[t] + (1.0 - agrees[t]) * mine;
            }
            for (int t = 0; t < offers; t++)
                total[t] /= size;
            best = total[0];
            for (int t = 1; t < offers; t++)
                if (total[t] > best)
                    best = total[t];
            for (int t = 0; t < offers; t++) {
                double d = (total[t] - best) / 0.1;
                if (d > -50.0) {
                    double w = exp(d);
                    sum += w;
                    if (w > 1e-9) {
                        chosen[used] = t;
                        weight[used] = w;
                        used++;
                    }
                }
            }
            norm = 1.0 / sum;
            for (int q = first; q < end; q++) {
                int j = members[p][q];
                int h = group[r][j];
                const double *agrees = accept[r][h];
                double mine = reward[p][j];
                double theirs = reward[r][j];
                double sm = 0.0;
                double so = 0.0;
                for (int u = 0; u < used; u++) {
                    int t = chosen[u];
                    double yes = agrees[t];
                    double no = 1.0 - yes;
                    double y = (double)(10 - points[r][h][t]);
                    sm += weight[u] * (yes * worth[t] + no * mine);
                    so += weight[u] * (yes * y + no * theirs);
                }
                sm *= norm;
                so *= norm;
                mean += sm;
                reward[p][j] = sm;
                reward[r][j] = so;
            }
            mean /= size;
            if (level == n) {
                expected = mean;
            } else {
                double by_amount[11];
                for (int y = 0; y <= 10; y++)
                    by_amount[y] = (amounts_seen[p][g] >> y) & 1u ? agreement(level, y, mean) : 0.0;
                for (int t = 0; t < offers; t++)
                    accept[p][g][t] = by_amount[10 - points[p][g][t]];
            }
        }
    }

    amounts[0] = reward[0][state->entry];
    amounts[1] = reward[1][state->entry];
    return expected;
}

void value(const State *state, double *amounts)
{
    int n = state->count;
    double x, y;

    if (state->turn == CHANCE_PLAYER) {
        amounts[0] = 9.251063609311105;
        amounts[1] = 4.496359940478894;
        return;
    }
    if (state->turn == TERMINAL_PLAYER) {
        returns(state, amounts);
        return;
    }
    if (n == 0) {
        double later[2];
        continuation(state, later);
        x = later[0];
        y = later[1];
    } else {
        const uint8_t *offer = OFFERS[state->acts[n - 1]];
        const uint8_t *v = state->values[0];
        const uint8_t *w = state->values[1];
        int a = v[0] * offer[0] + v[1] * offer[1] + v[2] * offer[2];
        int b = w[0] * offer[0] + w[1] * offer[1] + w[2] * offer[2];
        double later[2] = {0.0, 0.0};
        double own = 0.0;
        double p, q;
        if (n < LAST_PLY)
            own = continuation(state, later);
        if (n & 1) {
            b = 10 - b;
            p = agreement(n, b, own);
        } else {
            a = 10 - a;
            p = agreement(n, a, own);
        }
        q = 1.0 - p;
        x = p * (double)a + q * later[0];
        y = p * (double)b + q * later[1];
    }
    if (x < 0.0)
        x = 0.0;
    else if (x > 10.0)
        x = 10.0;
    if (y < 0.0)
        y = 0.0;
    else if (y > 10.0)
        y = 10.0;
    amounts[0] = x;
    amounts[1] = y;
}

/* Only the last offer matters for the rest of a random game. */
void rollout(const State *state, Random *random, double *amounts)
{
    State drawn;
    const State *at = state;
    int n, offers, last;

    if (state->turn == CHANCE_PLAYER) {
        double x = random_number(random);
        int outcome = 0;
        while (outcome < MAX_CHANCE_OUTCOMES - 1) {
            x -= 0.001;
            if (x < 0.0)
                break;
            outcome++;
        }
        drawn = *state;
        draw_instance(&drawn, outcome);
        at = &drawn;
    }
    n = at->count;
    offers = at->legal_count;
    last = n > 0 ? at->acts[n - 1] : 0;
    for (; n < MAX_PLIES; n++) {
        int choice = random_below(random, offers + (n > 0));
        if (choice == offers) {
            settle(at, last, n & 1, amounts);
            return;
        }
        last = at->legal[choice];
    }
    amounts[0] = 0.0;
    amounts[1] = 0.0;
}
