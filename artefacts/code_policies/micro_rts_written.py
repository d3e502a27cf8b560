import heapq,math,random,re

D={'up':(0,-1),'right':(1,0),'down':(0,1),'left':(-1,0)}
N='Worker','Light','Heavy','Ranged','Barracks','Base'
COST=dict(zip(N,(1,2,3,2,5,10)))
DMG=dict(zip(N,(1,2,4,1)))
MV=dict(zip(N,(10,8,10,10)))
HP=dict(zip(N,(1,4,8,1)))
PW=dict(zip(N,(1.0,3.2,6.0,2.5)))
VAL=dict(zip(N,(4,5,5,6,2,1)))

def man(a,b):
 return abs(a[0]-b[0])+abs(a[1]-b[1])

def inr(t,a,b):
 if t=='Ranged':
  return (a[0]-b[0])**2+(a[1]-b[1])**2<=9
 return man(a,b)<=1

def power(u):
 return PW[u.t]*(0.4+0.6*u.hp/HP[u.t])

def go(p,k):
 return (p[0]+D[k][0],p[1]+D[k][1])

def low(c):
 return min(c,key=lambda z:z[0],default=None)

class U:
 def __init__(u,q):
  u.i,u.t,u.own=q['id'],q['type'],q.get('owner')
  u.p=u.ep=(q['x'],q['y'])
  u.hp=u.r=q.get('hp')
  u.c=q.get('carried')
  u.o=(q.get('order') or '').lower()
  u.tl=(q.get('ticks_left') or 0) if u.o else 0
  u.mv=u.h=False
  u.f=u.t in DMG

def make_plan(o,mem):
 d=o['data']
 legal=list(o['legal'])
 L=set(legal)
 tick=d['tick']
 bo=d['board']
 H,W=len(bo),len(bo[0])
 plan,occ,claim=[],set(),set()
 cells=[(x,y) for x in range(W) for y in range(H)]
 solid={(x,y) for x,y in cells if bo[y][x]=='#'}
 mine,enemy,res,inprod=[],[],[],[]
 av=d['bank']
 free=set(d['free'])
 for q in d['units']:
  u=U(q)
  occ.add(u.p)
  if not u.f:
   solid.add(u.p)
  m=re.search(r'\b(up|right|down|left)\b',u.o)
  if m and ('mov' in u.o or 'produc' in u.o):
   c=go(u.p,m.group(1))
   claim.add(c)
   if 'mov' in u.o:
    u.ep=c
    u.mv=True
  if u.t=='Resource':
   res.append(u)
  elif u.own=='own':
   mine.append(u)
   if 'produc' in u.o:
    for k in COST:
     if k.lower() in u.o.split('produc',1)[1]:
      av-=COST[k]
      inprod.append((k,u.tl))
      break
  else:
   enemy.append(u)

 def nbrs(c):
  for k in D:
   n=go(c,k)
   if 0<=n[0]<W and 0<=n[1]<H:
    yield k,n

 def vac(n):
  return not (n in solid or n in occ or n in claim)

 def emit(u,kw,tail,cell=None):
  pre='%s (%d, %d): %s'%(u.t,u.p[0],u.p[1],kw)
  for a in [pre+' '+tail]+legal:
   if a in L and a.startswith(pre) and a.endswith(tail):
    plan.append(a)
    free.discard(u.i)
    if cell:
     claim.add(cell)
    return True
  return False

 def dij(s):
  r={s:(0,None)}
  pq=[(0,0.0,s)]
  while pq:
   g,_,c=heapq.heappop(pq)
   if g>r[c][0]:
    continue
   for k,n in nbrs(c):
    busy=n in occ or n in claim
    if n in solid or (c==s and busy):
     continue
    w=g+(4 if busy else 1)
    if w<r.get(n,(999,))[0]:
     r[n]=(w,r[c][1] or k)
     heapq.heappush(pq,(w,random.random(),n))
  return r

 def step(u,k):
  return emit(u,'move',k,go(u.p,k))

 def ready(u):
  return u.i in free

 bases=[u for u in mine if u.t=='Base']
 bars=[u for u in mine if u.t=='Barracks']
 blds=bases+bars
 workers=[u for u in mine if u.t=='Worker']
 foes=[u for u in enemy if u.f]
 ebl=[u for u in enemy if u.t=='Base'] or enemy
 E=ebl[0].p if ebl else (W//2,H//2)
 B=bases[0].p if bases else None

 # pending damage: e.r is what will be left
 at={e.p:e for e in enemy}
 for u in mine:
  m='attack' in u.o and re.search(r'\((\d+), *(\d+)\)',u.o)
  if m:
   e=at.get((int(m.group(1)),int(m.group(2))))
   if e and not (e.mv and e.tl<=u.tl):
    e.r-=DMG.get(u.t,0)

 # 1. attacks
 todo=[]
 for u in mine:
  if ready(u) and u.f:
   ts=[e for e in enemy if inr(u.t,u.p,e.p) and not (e.mv and e.tl<=5)]
   if ts:
    todo.append((len(ts),-DMG[u.t],u.i,u,ts))
 todo.sort(key=lambda z:z[:3])
 for _,_,_,u,ts in todo:
  b=low([(0.3*e.r-VAL[e.t]*2-(5 if DMG[u.t]>=e.r else 0),e) for e in ts if e.r>0])
  if b:
   e=b[1]
   if emit(u,'attack','(%d, %d)'%e.p):
    e.r-=DMG[u.t]
 live=[e for e in enemy if e.r>0]
 lfoes=[e for e in live if e.f]

 def danger(p,ranged=True):
  b=999
  for e in lfoes:
   if e.t=='Ranged':
    if not ranged:
     continue
    s=math.ceil(math.hypot(e.ep[0]-p[0],e.ep[1]-p[1])-3)
   else:
    s=man(e.ep,p)-1
   b=min(b,e.tl+MV[e.t]*max(0,s)+5)
  return b

 # roles
 near=[r for r in res if B and man(r.p,B)<=5]
 field=min(near,key=lambda r:man(r.p,B),default=None)
 nh=2 if field else 0
 wid={u.i:u for u in workers}
 hv=[i for i in mem.get('hv',[]) if i in wid][:nh]
 while len(hv)<min(nh,len(workers)):
  c=[w for w in workers if w.i not in hv]
  hv.append(min(c,key=lambda z:man(z.p,field.p)-(2 if z.c else 0)).i)
 mem['hv']=hv
 army=[u for u in mine if u.f and u.i not in hv]
 G=sum(power(u) for u in army)
 T=sum(power(e) for e in foes if B and man(e.ep,B)<=6)
 EN=sum(power(e) for e in foes)
 att=mem.get('att',False)
 if not bases or tick>1400 or not foes:
  att=True
 elif att:
  att=G>=0.9*EN
 else:
  att=G>=(1.3 if field and tick<900 else 1.0)*EN+1
 mem['att']=att
 lane={n for u in bases+([field] if field else []) for _,n in nbrs(u.p)}

 def spawn(u,kind,goal):
  for _,k,n in sorted([(man(n,goal),k,n) for k,n in nbrs(u.p) if vac(n)]):
   if emit(u,'produce '+kind,k,n):
    return True
  return False

 # 2. production
 for u in bars:
  if ready(u):
   if av>=3:
    if spawn(u,'Heavy',E):
     av-=3
   elif av>=2 and (T>G or not field):
    if spawn(u,'Light',E):
     av-=2
 nw=len(workers)+sum(1 for k,_ in inprod if k=='Worker')
 barp=[t for k,t in inprod if k=='Barracks']
 inc=0.02*len(hv)
 for u in bases:
  if not ready(u) or av<1 or nw>=11:
   continue
  if nw<4 or T>G:
   want=True
  elif bars:
   b=bars[0]
   tl=0 if ready(b) else b.tl
   want=av-1+inc*tl>=3 or (not hv and av<2)
  elif barp:
   want=av-1+inc*barp[0]>=3
  else:
   want=av>=6
  if want and spawn(u,'Worker',field.p if field and nw<nh else E):
   av-=1
   nw+=1

 # 3. barracks
 bd=mem.get('bd')
 mem['bd']=None
 if bases and not bars and not barp and av>=5 and len(workers)>=3:
  sites=[c for c in cells if vac(c) and c not in lane and 2<=man(c,B)<=3
   and sum(1 for _,n in nbrs(c) if n not in solid)>=2]
  opts=[]
  for w in ([wid[bd]] if bd in wid else workers):
   g=G if w.i in hv else G-1
   if w.c or g<T or danger(w.ep)<30:
    continue
   if not ready(w):
    if w.i==bd:
     mem['bd']=bd
    continue
   r=dij(w.p)
   for c in sites:
    for _,n in nbrs(c):
     if n in r:
      opts.append((r[n][0]-0.5*man(c,E),w,c,n,r[n][1]))
  b=low(opts)
  if b:
   _,w,c,n,f=b
   if n==w.p:
    for k,m in nbrs(n):
     if m==c:
      emit(w,'produce Barracks',k,c)
   elif f and step(w,f):
    mem['bd']=w.i

 # threats
 near=[]
 hurtb=0
 for e in lfoes:
  hb=any(inr(e.t,e.ep,b.p) for b in blds)
  if hb:
   hurtb+=1
  e.h=hb or any(man(e.ep,wid[i].p)<=2 for i in hv)
  if e.h or (B and man(e.ep,B)<=4) or any(man(e.ep,b.p)<=3 for b in blds):
   near.append(e)
 guards=sum(1 for u in army if B and man(u.p,B)<=5)
 harm=[e for e in near if e.h]
 militia=[]
 if hurtb>guards:
  c=[wid[i] for i in hv]
  c.sort(key=lambda w:min([man(w.p,e.ep) for e in harm] or [0]))
  militia=c[:hurtb-guards]
 mil={w.i for w in militia}

 # 4. harvesters
 hold=mem.setdefault('hold',{})
 for i in hv:
  u=wid[i]
  if not ready(u) or i in mil or i==mem['bd']:
   continue
  tgts=[b.p for b in bases] if u.c else [field.p]
  k0=None
  for k,n in nbrs(u.p):
   if n in tgts:
    k0=k
  need=10 if u.c or k0 is None else 20
  if danger(u.p)<need and hold.get(i,0)<30:
   hold[i]=hold.get(i,0)+1
   continue
  hold[i]=0
  if k0:
   emit(u,'return' if u.c else 'harvest',k0)
   continue
  r=dij(u.p)
  opts=[]
  for t in tgts:
   for _,n in nbrs(t):
    if n in r and r[n][1]:
     x=sum(1 for j in hv if j!=i and man(wid[j].p,n)<=1)
     opts.append((r[n][0]+0.3*x,r[n][1]))
  b=low(opts)
  if b:
   step(u,b[1])

 # 5. army
 def good(c):
  return c not in lane and 2<=man(c,B)<=4 and man(c,E)<man(B,E)

 units=[u for u in army+militia if ready(u) and u.i!=mem['bd']]
 units.sort(key=lambda u:man(u.p,E))
 for u in units:
  t,p=u.t,u.p
  if u.i in mil:
   tg=harm
  else:
   tg=live if att else near
  opts=[]
  if tg:
   if any(e.f and inr(t,p,e.ep) for e in tg) or danger(p,False)<MV[t]:
    continue
   if (not att and t=='Worker' and not any(e.h for e in tg)
     and any(e.t=='Worker' and man(p,e.ep)==2 for e in tg)):
    continue
   r=dij(p)
   for e in tg:
    bias=(0 if e.f else 2.5)-(1 if e.h else 0)
    for c,(g,k) in r.items():
     if k and inr(t,c,e.ep) and c!=e.ep:
      opts.append((g+bias,k))
  else:
   if not B or danger(p,False)<MV[t] or good(p):
    continue
   for c,(g,k) in dij(p).items():
    if k and good(c) and vac(c):
     opts.append((g+0.7*man(c,E),k))
  b=low(opts)
  if b:
   step(u,b[1])
 return plan

def act(observation,memory):
 legal=observation['legal']
 try:
  tick=observation['data']['tick']
  if memory.get('tick')!=tick:
   memory['tick']=tick
   memory['plan']=[]
   memory['plan']=make_plan(observation,memory)
  L=set(legal)
  q=memory['plan']
  while q:
   a=q.pop(0)
   if a in L:
    return a
 except Exception:
  pass
 if 'done' in legal:
  return 'done'
 for a in legal:
  if 'wait' in a:
   return a
 return legal[0] if legal else 0
