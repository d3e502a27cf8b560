from math import cos, sin, atan2, sqrt, degrees, radians

# vectors: complex (x right, y down); h: unit heading
N = 16
PRIOR = (0.5, 0.15, 0.15, 0.2)
WIDE = (-30, -15, 0, 15, 30)
# force, turn, turning steps, held steps, tail
CANDS = [(200, t, 1, 1, 0) for t in (-20, -10, -5, 5, 10, 20)]
CANDS += [(f, t, 1, 1, 0) for f in (-100, 0, 100, 200) for t in WIDE]
CANDS += [(f, t, 2, 4, 0) for f in (-100, 200) for t in WIDE]
CANDS += [(200, t, 2, 3, 1) for t in WIDE]
CANDS += [(-100, t, 1, 3, 1) for t in (-30, 0, 30)]
CANDS += [(200, -30, 3, 7, 0), (200, 30, 3, 7, 0), (200, 0, 0, 8, 0),
 (0, 0, 0, 5, 0)]
CANDS = [c+(0.0,) for c in CANDS]

def rot(d):
 a = radians(d)
 return complex(cos(a), sin(a))

R30 = rot(30)
L30 = rot(-30)

def dot(a, b):
 return a.real*b.real+a.imag*b.imag

def clip(z, m=100.0):
 s = abs(z)
 return z*(m/s) if s > m else z

def steer(x, v, h, E, w, t):
 # w: wanted velocity, t: facing
 r = abs(x)+1e-6
 e = x/r
 room = 172.0-r
 lim = sqrt(185*room+25)-5 if room > 0 else 3*room
 wr = dot(w, e)
 if wr > lim:
  w -= (wr-lim)*e
 if room < 25 and wr > 0:
  w = clip(w, 75.0)
 D = w-v
 m = abs(D)
 vr = dot(v, e)
 if dot(D, h) < -0.2*m and (m < 30 or vr > lim-1):
  t -= D
 else:
  t += D
 z = t*h.conjugate()
 if z.real > 0 and abs(z.imag) < 0.577*z.real:
  h = t/abs(t)
 else:
  h *= L30 if z.imag < 0 else R30
 f = max(-100.0, min(200.0, 10*dot(D, h)))
 if E < 130 and (E < 60 or vr < 15 or r < 90):
  c = 9000/(abs(v)+1)
  f = max(-c, min(c, f))
 return f, h

def base(x, v, h, E, o, u, tail):
 n = o-x
 d = abs(n)+1e-9
 ro = abs(o)+1e-6
 if tail:
  # inner side
  p = o*max(0.0, 1-70/ro)-x
  m = abs(p)+1e-9
  g = p/m
  c = g.conjugate()*n
  y = c.imag
  if 0 < c.real < m and abs(y) < 46:
   if abs(y) < 6:
    y = -(g.conjugate()*(v-u)).imag
   p = n+0.2*u+g*(-52j if y > 0 else 52j)
   return steer(x, v, h, E, clip(2*p, 85.0), n*(2/d))
  return steer(x, v, h, E, clip(1.2*p, 90.0), n*(10/d))
 k = 50.0 if d < 55 and abs(x) < 140 else 10+0.1*max(0.0, d-60)
 s = dot(n, o)/(d*ro)
 a = n-o*(30*min(1.0, ro/100)*min(1.0, 1-s)/ro)
 a /= abs(a)+1e-9
 q = max(-60.0, min(60.0, (a.conjugate()*u).imag))
 t = 1e4 if E > 350 or d < 80 else 6000.0
 return steer(x, v, h, E, a*complex(sqrt(t-q*q), q), n*(k/d))

def opp(k, x, o, u):
 if k == 3:
  return 0j
 n = x-o
 r = abs(o)+1e-6
 q = 0j
 if k == 0:
  d = abs(n)+1e-9
  s = abs(x)+1e-6
  q = n-x*(30*min(1.0, s/100)*min(1.0, 1-dot(n, x)/(d*s))/s)
  q *= 100/(abs(q)+1e-9)
  m = 176.0-r
  m = dot(q, o)/r-(sqrt(200*m) if m > 0 else m)
  if m > 0:
   q -= o*(m/r)
 elif k == 2:
  q = o*(-60/(r+10))
 q -= u
 return clip(q, 19.0 if dot(q, n) > 0 else 11.0)

def roll(x, v, h, E, o, u, F, T, nt, H, tail, k, L):
 far = 0.0
 for t in range(N):
  if t < H:
   f = F
   if t < nt:
    h *= T
  else:
   f, h = base(x, v, h, E, o, u, tail)
  E += 20-abs(f)*abs(v)/500
  if E > 1000:
   E = 1000.0
  elif E < 5:
   return -900.0
  q = opp(k, x, o, u)
  x += 0.1*v
  o += 0.1*u
  n = o-x
  d = abs(n)
  if d < 40:
   n /= d+1e-9
   c = dot(v-u, n)
   if c > 0.01:
    b = min(0.1, (40-d)/c)
    x -= v*b
    o -= u*b
    n = o-x
    n /= abs(n)+1e-9
    c = dot(v-u, n)
    if c > 0:
     v -= c*n
     u += c*n
    x += v*b
    o += u*b
  v = clip(v+(0.1*f)*h)
  u = clip(u+q)
  r = abs(x)
  if r > far:
   far = r
  out = abs(o) > 180.5
  if r > 179.3:
   return -200.0 if out else L+25*t-3*dot(v, x)/r
  if out:
   return 1000.0-12*t
 m = abs(v)
 m /= 380 if dot(h, v) < -0.5*m else 190
 gm = min(200.0, abs(x+v*m))/180
 go = min(200.0, abs(o+u*(abs(u)/340)))/180
 n = o-x
 d = abs(n)+1e-9
 n /= d
 ro = abs(o)+1e-6
 w = min(1.0, ro/80)
 s = dot(n, o)/ro
 m = dot(v+u, n)
 if m > 0:
  m *= 1-w+w*max(0.2, s)
 q = 1-E/1000
 return (420*go**4-480*gm**4-0.6*d+0.5*m+40*dot(h, n)
  +w*(50*s*min(1.0, 60/d)+0.3*dot(u, o)/ro)
  +0.5*max(-80.0, min(80.0, ro-r))-20*max(0.0, far-174)
  -120*q*q-0.3*max(0.0, 300-E))

def axis(a):
 lo = min(a)
 hi = max(a)
 if hi-lo < 7:
  if lo == 0:
   return hi-3.5, True
  if hi == 39:
   return lo+3.5, True
 return sum(a)/len(a), False

def locate(x, rel, lam):
 for it in (0, 1):
  R = []
  for q in rel:
   q = q+x
   d = abs(q)+1e-6
   R.append((d-200, q/d))
  S = [t for t in R if abs(t[0]) < 30]
  a = lam
  if len(S)*2 < len(R):
   S = R
   a = 1.0
  b = a
  c = 0.0
  B = 0j
  for e, n in S:
   a += n.real*n.real
   b += n.imag*n.imag
   c += n.real*n.imag
   B -= e*n
  det = a*b-c*c
  x += complex(B.real*b-B.imag*c, a*B.imag-c*B.real)/det
 return x

def quant(f, z):
 F = max(-100, min(200, int(round(f/50))*50))
 T = int(round(degrees(atan2(z.imag, z.real))/5))*5
 return F, max(-30, min(30, T))

def think(obs, M, v, E):
 if E < 0:
  return 0, 0
 first = obs['id'] == 'team_0'
 sp = abs(v)
 if 'deg' not in M:
  y = -150.0 if first else 150.0
  M.update(s=[0.25*v.real, y+0.25*v.imag, 0.0, -y, 0.0, 0.0],
   deg=90 if first else 270, age=6, n=0, lost=False, spin=30, k=0,
   er=[6.0]*4, W=list(PRIOR), plan=None, hc=0, tp=0)
  return (200 if sp <= 75 else -100), 0
 plan, tp = M['plan'], M['tp']
 M['plan'] = None
 M['tp'] = 0
 g = []
 cr = []
 oi = []
 oj = []
 for i, row in enumerate(obs['agent_obs']):
  for j, c in enumerate(row):
   if c == 0:
    continue
   q = complex(157.5-5*i, 5*j-97.5)
   if c == 1:
    g.append(q)
   elif c == 4:
    cr.append(q)
   elif c == (8 if first else 10):
    oi.append(i)
    oj.append(j)
 seen = len(oi) > 1
 part = False
 z = 0j
 if seen:
  ci, p1 = axis(oi)
  cj, p2 = axis(oj)
  part = p1 or p2
  z = complex(157.5-5*ci, 5*cj-97.5)
 s = M['s']
 x = complex(s[0], s[1])
 o = complex(s[2], s[3])
 u = complex(s[4], s[5])
 age, num, lost, spin = M['age'], M['n'], M['lost'], M['spin']
 er, W = M['er'], M['W']
 pv = complex(*M['v'])
 F = M['F']
 M['k'] += 1
 A = v-pv
 m = abs(A)
 nd = degrees(atan2(A.imag, A.real))+(180 if F < 0 else 0)
 nd = int(round(nd/5))*5 % 360
 if M['k'] == 1 and F and m > 3:
  M['deg'] = nd
 p = pv+0.1*F*rot(M['deg'])
 if sp > 98:
  p = clip(p)
 e = v-p
 ea = abs(e)
 hit = False
 near = (abs(z) if seen else abs(o-x)) < 75 and (seen or age <= 3)
 if ea > 2:
  if near:
   hit = True
  elif F and abs(m-0.1*abs(F)) < 0.5 and sp < 98:
   M['deg'] = nd
  elif not seen and ea > 6:
   hit = True
 h = rot(M['deg'])
 x += 0.1*pv
 o += 0.1*u
 if hit:
  n = e/ea
  q = dot(pv-u, n)
  u += q*n
  x += 0.05*e
  if near:
   o += 0.05*q*n
  else:
   o = x-44*n
   age = 2
   lost = False
 hc = 3 if hit else max(0, M['hc']-1)
 ff = 0j
 if num > 1 and age < 6:
  ff = 0.6*sum(W[k]*opp(k, x, o, u) for k in range(4))
 sh = 0j
 if len(g) > 2:
  sh = locate(x, [q*h for q in g], 2.0 if M['k'] <= 3 else 12.0)-x
 else:
  a = []
  b = []
  for q in cr:
   q = x+q*h
   if abs(q.imag) < 8 and abs(q.real) > 15:
    a.append(q.imag)
   elif abs(q.real) < 8 and abs(q.imag) > 15:
    b.append(q.real)
  if len(a) > 5:
   sh -= 0.3j*sum(a)/len(a)
  if len(b) > 5:
   sh -= 0.3*sum(b)/len(b)
 x = clip(x+sh, 178.8)
 if age <= 5:
  o += sh
 if seen:
  mp = x+z*h
  if age > 5 or lost:
   o = mp
   u = 0j
   num = 0 if part else 1
  else:
   if part:
    al, be = 0.5, 1.5
   elif hit:
    al, be = 0.8, 1.5
   elif num == 0:
    al, be = 1.0, 4.0
   elif num == 1:
    al, be = 0.9, 8.0
   else:
    al, be = 0.8, 5.0
   q = mp-o
   if num > 2 and hc == 0 and not part:
    for k in range(4):
     er[k] += 0.1*(abs(be*q+ff-opp(k, x, o, u))-er[k])
   o = clip(o+al*q, 179.5)
   u = clip(u+ff+be*q)
   if not part:
    num += 1
  age = 0
  lost = False
  spin = 30 if z.imag > 0 else -30
 else:
  age += 1
  u = clip((u+0.5*ff)*0.99)
  if abs(o) > 165:
   o = clip(o, 165.0)
   u *= 0.5
  if not hit and not lost:
   q = (o-x)*h.conjugate()
   spin = 30 if q.imag > 0 else -30
   if age > 30 or (age > 1 and -30 < q.real < 150 and abs(q.imag) < 90):
    lost = True
 M.update(s=[x.real, x.imag, o.real, o.imag, u.real, u.imag],
  age=age, n=num, lost=lost, spin=spin, er=er, hc=hc)
 r = abs(x)+1e-6
 if lost:
  w = -x*min(1.2, 60/r)
  vr = dot(x, v)/r
  if r > 130 or (vr > 20 and r > 90):
   f, h2 = steer(x, v, h, E, w, x*(-10/r))
  else:
   h2 = h*rot(spin)
   f = 10*dot(w-v, h2)
  return quant(f, h2/h)
 f, h2 = base(x, v, h, E, o, u, 0)
 F0, T0 = quant(f, h2/h)
 d = abs(o-x)
 if age > 5 or d > 190:
  return F0, T0
 f, h2 = base(x, v, h, E, o, u, 1)
 F1, T1 = quant(f, h2/h)
 C = [(F0, T0, 1, 1, 0, 6.0), (F1, T1, 1, 1, 1,
  5.0*tp+(8.0 if r > 90 and abs(o) < r-15 else 0.0))]
 if plan and not hit:
  C.append(tuple(plan)+(10.0,))
 y = [PRIOR[k]/(3+er[k])**2 for k in range(4)]
 sy = sum(y)
 W = [0.2*PRIOR[k]+0.8*y[k]/sy for k in range(4)]
 M['W'] = W
 L = -1300.0+3*max(0, min(150, M['k']-344))
 pen = 0.3 if d < 60 else 0.1
 lt = M['T']
 best = None
 for F, T, nt, H, tail, val in C+CANDS:
  a = T if nt > 0 else 0
  val -= pen*min(abs(a-T0), abs(a-T1))
  if a*lt < 0:
   val -= 0.15*abs(a-lt)
  if F < 0 and F < F0 and d < 50:
   val -= 10
  z = rot(T)
  for k in range(4):
   val += W[k]*roll(x, v, h, E, o, u, F, z, nt, H, tail, k, L)
  if best is None or val > best[0]:
   best = (val, F, T, nt, H, tail)
 val, F, T, nt, H, tail = best
 M['tp'] = tail
 if H > 1:
  M['plan'] = [F, T, max(0, nt-1), H-1, tail]
 return F, (T if nt > 0 else 0)

def act(observation, memory):
 s = observation['speed']
 v = complex(float(s[0]), float(s[1]))
 E = float(observation['energy'])
 try:
  F, T = think(observation, memory, v, E)
 except Exception:
  q = dot(v, rot(memory.get('deg', 90)))
  F = -100 if q > 5 else (100 if q < -5 else 0)
  T = 0
 if E < 60:
  sp = min(100.0, abs(v)+10)
  while F and abs(F)*sp/500 > min(20.0, E-3):
   F += -50 if F > 0 else 50
 memory['v'] = [v.real, v.imag]
 memory['F'] = F
 memory['T'] = T
 if 'deg' in memory:
  memory['deg'] = (memory['deg']+T) % 360
 return [float(F), float(T)]
