import math

D=[(0,-1),(1,-1),(1,0),(1,1),(0,1),(-1,1),(-1,0),(-1,-1)]
N=['north','north-east','east','south-east','south','south-west','west','north-west']
# damage, pellets, magazine, interval, reload, range, spread
W={'rifle':(18,1,30,2,12,15.0,3.0),'sniper':(75,1,5,12,18,24.0,0.9),
 'shotgun':(11,7,6,6,16,8.0,8.0),'pistol':(12,1,12,3,8,12.0,4.0)}
SL='stay, look '
ST='stay, take '
SR='stay, reload'
H=math.hypot

def d8(dx,dy):
 return int(round(math.atan2(dx,-dy)*4/math.pi))%8

def cell(g,x,y):
 if 0<=y<len(g) and 0<=x<len(g[y]):
  return g[y][x]
 return '#'

def los(g,a,b):
 dx,dy=b[0]-a[0],b[1]-a[1]
 n=2*max(abs(dx),abs(dy))
 for k in range(1,n):
  if cell(g,int(a[0]+dx*k/n+0.5),int(a[1]+dy*k/n+0.5))=='#':
   return False
 return True

def bfs(g,s,bl):
 R={s:(0,-1)}
 q=[s]
 for c in q:
  x,y=c
  d,f=R[c]
  for i in (0,2,4,6,1,3,5,7):
   a,b=D[i]
   n=(x+a,y+b)
   if n in R or n==bl or cell(g,n[0],n[1])!='.':
    continue
   if a and b and (cell(g,x+a,y)!='.' or cell(g,x,y+b)!='.'):
    continue
   R[n]=(d+1,i if f<0 else f)
   q.append(n)
 return R

def ph(w,d,sm,tm,cov):
 s=W[w]
 if d>s[5]:
  return 0.0
 a=s[6]*(1.5 if sm else 1)*(1.2 if tm else 1)
 p=min(1.0,0.3/(max(d,0.5)*math.tan(math.radians(a))))
 return p*0.4 if cov and d>2 else p

def ttk(w,p,h,st,mag,more):
 if p<0.02 or st>=900:
  return 999.0
 s=W[w]
 if s[1]>1:
  n=max(1,math.ceil(h/(s[0]*s[1]*p)-0.15))
 else:
  n=max(1,math.ceil(h/s[0]))/p
 r=st+(n-1)*s[3]
 if n>mag:
  r+=s[4] if more else 15
 return r

def pk(L,*a):
 for s in a:
  if s in L:
   return s
 return 'stay'

def snap(R,p):
 if p in R:
  return p
 return min(R,key=lambda c:(c[0]-p[0])**2+(c[1]-p[1])**2)

def camp(g,R):
 cs=[c for c in R if R[c][0]<=14]
 cs=cs[::max(1,len(cs)//40)]
 best,bs=None,-1e9
 for c in cs:
  b=[0]*8
  for dx in range(-8,9):
   for dy in range(-8,9):
    n=(c[0]+dx,c[1]+dy)
    if (dx or dy) and n in R and los(g,c,n):
     b[d8(dx,dy)]+=1
  tot=sum(b)
  for f in range(8):
   v=b[f-1]+b[f]+b[(f+1)%8]
   s=0.3*min(v,60)-(tot-v)-0.5*R[c][0]
   if cell(g,c[0]+D[f][0],c[1]+D[f][1])=='o':
    s+=8
   if s>bs:
    best,bs=[c[0],c[1],f],s
 return best

def think(o,L,m):
 G,M=o.get,m.get
 if not G('alive') or 'x' not in o:
  for k in ('am','spot','wp','lf','sw','lw','hc'):
   m.pop(k,None)
  return 'stay'
 t,x,y,hp,fc=o['tick'],o['x'],o['y'],o['health'],o['facing']
 me=(x,y)
 g=M('g')
 if g is None:
  rows=o['map']
  if isinstance(rows,str):
   rows=rows.split('\n')
  g=[''.join(c if c in '#o' else '.' for c in r) for r in rows]
  m['g']=g
  m['base']=[x,y]
 ld=G('lead') or 0
 if ld>M('ld',0):
  m['kt']=t
  m.pop('spot',None)
 m['ld']=ld
 kt=M('kt',-999)
 cur,mag,res=o['weapon_name'],o['magazine'],o['reserve']
 rel=G('reloading') or 0
 cf,cs=G('can_fire'),G('can_step')
 pus=G('pickups') or []
 am=m.setdefault('am',{})
 if any(p['x']==x and p['y']==y for p in pus):
  am.clear()
 am[cur]=[mag,res]
 have=str(G('weapons'))
 sw=M('sw',-99)
 if cur==M('sn') and 5<=t-sw<=9 and not cf and mag>0 and not rel and M('lf',-99)<sw:
  m['sh']=1
 cd=max(0,M('lf',-99)+W[M('lw',cur)][3]-t)
 names=[w for w in W if w==cur or ST+w in L]
 es=G('visible_enemies') or []
 hu=G('hurt')
 R=bfs(g,me,(es[0]['x'],es[0]['y']) if es else None)

 def take(w):
  m['sw']=t
  m['sn']=w
  return ST+w

 if es:
  e=es[0]
  m['hc']=0
  ep=(e['x'],e['y'])
  d=max(0.5,H(ep[0]-x,ep[1]-y))
  F=', fire at %s'%e['player']
  ed=d8(ep[0]-x,ep[1]-y)
  look=', look '+N[ed]
  best,tm,wait=cur,999.0,0
  for w in names:
   s=W[w]
   a=am.get(w) or [s[2],1]
   mg,more=a[0],a[1]!=0
   if w==cur and rel>0:
    st,mg=rel,s[2]
   elif mg<=0:
    st,mg=(s[4] if more else 999),s[2]
   elif w==cur:
    st=0 if cf else (max(1,cd) if M('lw')==cur else 2)
   else:
    st=0
   if w==cur:
    wait=st
   else:
    st+=3
    if M('sh'):
     st=max(st,cd)
    st+=1
   T=ttk(w,ph(w,d,False,e.get('moving'),e.get('covered')),e['health'],st,mg,more)
   if T<tm:
    best,tm=w,T
  ew=e.get('weapon')
  if ew not in W:
   ew='rifle'
  cov=d>2 and cell(g,x+D[ed][0],y+D[ed][1])=='o'
  te=ttk(ew,ph(ew,d,e.get('moving'),False,cov),hp,0,99,True)
  df=abs(((e.get('facing') or 0)-(ed+4))%8)
  if 2<=df<=6:
   te+=5

  def hide(k):
   h=[c for c in R if 1<=R[c][0]<=k and not los(g,c,ep)]
   if h:
    return min(h,key=lambda c:(R[c][0],-H(c[0]-ep[0],c[1]-ep[1])))
   return None

  def go(c):
   i=R[c][1]
   if i<0 or not cs:
    return pk(L,'stay'+F)
   return pk(L,N[i]+F,N[i]+look,N[i])

  if kt+25<=t<kt+32 and cur=='sniper' and not (hu and hu.get('age',99)<6):
   return pk(L,'stay'+look)
  prot=G('protected') or 0
  if cs and not prot and d>2.5 and tm>te*1.4+3:
   c=hide(2)
   if c:
    return go(c)
  if cf and mag>0 and best==cur and cur=='sniper' and tm<900:
   return pk(L,'stay'+F)
  if cs and not cov and d>3.5 and te>4 and tm>4 and tm<900:
   bc,bd=None,99
   for c in R:
    if R[c][0]==1:
     k=d8(ep[0]-c[0],ep[1]-c[1])
     if cell(g,c[0]+D[k][0],c[1]+D[k][1])=='o' and los(g,c,ep):
      q=abs(H(ep[0]-c[0],ep[1]-c[1])-d)
      if q<bd:
       bc,bd=c,q
   if bc:
    return go(bc)
  if best!=cur and t>=sw+3 and ST+best in L:
   return take(best)
  if best==cur and mag<=0 and not rel and SR in L:
   return SR
  if tm>=900:
   return go(snap(R,ep))
  if not cf:
   if wait>=4 and cs and te<=wait+4 and not prot:
    c=hide(1)
    if c:
     return go(c)
   if cur=='shotgun' and d>2.5 and cs:
    return go(snap(R,ep))
  return pk(L,'stay'+F,'stay'+look)

 # nobody in view
 tg,ag=None,999
 for q in (G('remembered_enemies') or [])[:1]+(G('noises') or [])[:1]:
  a=q.get('age',0)
  if t-a>max(kt,M('ig',-1)) and a<ag:
   tg,ag=(q['x'],q['y']),a
 if kt<=t<kt+25:
  tg,ag=None,999
 if hu and hu.get('age',99)<=4 and t>=kt+25:
  k=hu.get('direction')
  if isinstance(k,str):
   k=N.index(k) if k in N else None
  if k is not None and int(k)%8!=fc and (tg is None or ag>3):
   return pk(L,SL+N[int(k)%8])
 td=d8(tg[0]-x,tg[1]-y) if tg and tg!=me else None

 def walk(c,face=None):
  i=R[c][1]
  if i<0:
   k=td if td is not None and ag<30 else (fc if face is None else face)
   return pk(L,SL+N[k])
  if td is not None and ag<30:
   k=td
  else:
   k=(i+(0,1,0,-1)[(t//4)%4])%8
  if not cs:
   return pk(L,SL+N[k])
  return pk(L,N[i]+', look '+N[k],N[i])

 def tot(w):
  a=am.get(w)
  if a is None or a[1]<0:
   return 99
  return a[0]+a[1]

 # the best pick-up
 goal,gs=None,1e9
 for p in pus:
  c=(p['x'],p['y'])
  if not p.get('available') or c not in R or c==me:
   continue
  n,k,s=R[c][0],p['kind'],None
  if k=='health':
   if hp<=60 and n<=40:
    s=n-20
   elif hp<85 and n<=9:
    s=n
  elif k=='sniper':
   if ('sniper' not in have or tot('sniper')<3) and n<=40:
    s=n-12
  elif k=='shotgun':
   if 'shotgun' not in have and n<=6:
    s=n
  elif k=='ammo':
   if (tot('rifle')<40 or ('sniper' in have and tot('sniper')<6)) and n<=18:
    s=n
  if s is not None and s<gs:
   goal,gs=c,s
 if goal and hp<=45 and tg:
  de=H(tg[0]-goal[0],tg[1]-goal[1])
  if R[goal][0]<25 and de>3:
   return walk(goal)

 # weapons in order
 if ag>3 and not rel and t>=sw+3:
  full=W[cur][2]
  if mag<full*(0.85 if tg is None else 0.4) and res!=0 and SR in L:
   return SR
  r=am.get('rifle')
  want=None
  if tg is None and r and r[0]<12 and r[1]>0:
   want='rifle'
  else:
   for w in ('sniper','rifle','shotgun','pistol'):
    if w in names and tot(w)>0:
     want=w
     break
  if want and want!=cur and want in names:
   return take(want)

 # wait for the enemy who was noticed just now
 if tg and ag<=(30 if ld>0 else 8) and td is not None:
  hc=M('hc',0)
  if ld>0 or hc<25:
   m['hc']=hc+1
   return pk(L,SL+N[td])
 if goal:
  return walk(goal)
 if ld>0:
  sp=M('spot')
  if not sp or (sp[0],sp[1]) not in R:
   sp=camp(g,R)
   m['spot']=sp
  if sp:
   return walk((sp[0],sp[1]),sp[2])
 if tg:
  c=snap(R,tg)
  if R[c][0]<=1:
   m['ig']=t
   m['hc']=0
  else:
   return walk(c)

 # patrol
 b=m['base']
 w0,h0=len(g[0]),len(g)
 pts=[(p['x'],p['y']) for p in pus]+[(w0-1-b[0],h0-1-b[1]),(w0//2,h0//2)]
 v=m.setdefault('v',{})
 bp,bs=None,-1e9
 wp=M('wp')
 for p in pts:
  c=snap(R,p)
  k='%d,%d'%p
  if R[c][0]<=2:
   v[k]=t
   if wp and tuple(wp)==c:
    wp=None
  else:
   s=t-v.get(k,-100)-3*R[c][0]
   if s>bs:
    bp,bs=c,s
 if not wp or tuple(wp) not in R:
  wp=bp
 m['wp']=list(wp) if wp else None
 if wp:
  return walk(tuple(wp))
 return pk(L,SL+N[(fc+2)%8])

def act(observation,memory):
 legal=observation.get('legal') or ['stay']
 try:
  o=observation.get('data') or {}
  a=think(o,set(legal),memory)
  if a in legal:
   if ', fire at' in a and o.get('can_fire'):
    memory['lf']=o['tick']
    memory['lw']=o['weapon_name']
   return a
 except Exception:
  pass
 try:
  for e in observation['data'].get('visible_enemies') or []:
   a='stay, fire at %s'%e['player']
   if a in legal:
    return a
 except Exception:
  pass
 return 'stay' if 'stay' in legal else legal[0]
