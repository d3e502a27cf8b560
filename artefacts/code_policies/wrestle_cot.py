from math import sin, cos, atan2, hypot, sqrt, pi, radians, degrees

MT = radians(30)


def wrap(a):
 return (a+pi)%(2*pi)-pi


def clip(a, lo, hi):
 return lo if a < lo else hi if a > hi else a


def cap(x, y, m):
 s = hypot(x, y)
 if s > m:
  s = m/s
  return x*s, y*s
 return x, y


def snap(t, f, fm):
 return int(round(degrees(t)/5))*5, int(round(clip(f, -100, fm)/50))*50


def base(x, y, vx, vy, h, X, Y, VX, VY, mode):
 dx = X-x
 dy = Y-y
 d = hypot(dx, dy)+1e-6
 if mode == 0:
  ro = hypot(X, Y)+1e-6
  ox = X/ro
  oy = Y/ro
  T = clip((d-40)/90.0, 0.0, 0.8)
  px, py = cap(X+VX*T, Y+VY*T, 165)
  al = (dx*ox+dy*oy)/d
  sp0 = 100.0
  if al < 0 and ro > 40:
   # I am on the outer side: go around
   side = 1 if dx*oy-dy*ox >= 0 else -1
   tx = px-25*ox-side*oy*60
   ty = py-25*oy+side*ox*60
   sp0 = 70.0
  else:
   off = 30*min(1.0, ro/80)*(1-al)
   tx = px-off*ox
   ty = py-off*oy
  wx = tx-x
  wy = ty-y
  m = hypot(wx, wy)+1e-6
  wx *= sp0/m
  wy *= sp0/m
 else:
  wx, wy = cap(-2*x, -2*y, 90)
 sp = hypot(vx, vy)
 if sp > 8:
  ux = vx/sp
  uy = vy/sp
  pu = x*ux+y*uy
  s = sqrt(max(0.0, pu*pu+31329-x*x-y*y))-pu
  if sp*sp/200+0.12*sp > s-4:
   a2 = dx*ux+dy*uy
   if not (mode == 0 and 0 < a2 < s+30
     and abs(dx*uy-dy*ux) < 22
     and VX*ux+VY*uy < 0.6*sp):
    wx = -0.2*x
    wy = -0.2*y
 ax = wx-vx
 ay = wy-vy
 m = hypot(ax, ay)
 if m < 5:
  return clip(wrap(atan2(dy, dx)-h), -MT, MT), 0.0
 a = wrap(atan2(ay, ax)-h)
 if (a > 2 or a < -2) and m < 50:
  b = wrap(a+pi)
  t = clip(b, -MT, MT)
  f = -10*m*cos(b-t)
 else:
  t = clip(a, -MT, MT)
  f = 10*m*cos(a-t)
 return t, clip(f, -100.0, 200.0)


def roll(S, t0, f0, mode, om, RM, H=22):
 x, y, vx, vy, h, X, Y, VX, VY = S
 for k in range(H):
  if k == 0:
   t, f = t0, f0
  else:
   t, f = base(x, y, vx, vy, h, X, Y, VX, VY, mode)
  h += t
  dx = X-x
  dy = Y-y
  d2 = dx*dx+dy*dy
  aX = aY = 0.0
  if om:
   ro = hypot(X, Y)+1e-6
   vr = (X*VX+Y*VY)/ro
   if vr > 0 and ro+vr*vr/260+0.08*vr > 172:
    s2 = hypot(VX, VY)+1e-6
    g = min(15.0, s2)/s2
    aX = -VX*g
    aY = -VY*g
   else:
    g = 15.0/(sqrt(d2)+1e-6)
    aX = -dx*g
    aY = -dy*g
  tc = -1.0
  if d2 < 4400:
   wx = VX-vx
   wy = VY-vy
   b = dx*wx+dy*wy
   if b < 0:
    c = d2-1600
    if c <= 0:
     tc = 0.0
    else:
     a = wx*wx+wy*wy
     q = b*b-a*c
     if q > 0 and a > 1e-9:
      tc = (-b-sqrt(q))/a
      if tc > 0.1:
       tc = -1.0
  r = 0.1
  if tc >= 0:
   x += vx*tc
   y += vy*tc
   X += VX*tc
   Y += VY*tc
   nx = X-x
   ny = Y-y
   n = hypot(nx, ny)+1e-6
   nx /= n
   ny /= n
   j = (VX-vx)*nx+(VY-vy)*ny
   vx += j*nx
   vy += j*ny
   VX -= j*nx
   VY -= j*ny
   r = 0.1-tc
  x += vx*r
  y += vy*r
  X += VX*r
  Y += VY*r
  vx, vy = cap(vx+0.1*f*cos(h), vy+0.1*f*sin(h), 100)
  VX, VY = cap(VX+aX, VY+aY, 100)
  me = x*x+y*y > RM*RM
  opp = X*X+Y*Y > 32761
  if me:
   if opp:
    return -100.0
   return -1200.0+10*k-0.5*(x*vx+y*vy)/RM
  if opp:
   return 1000.0-5*k
 sm = hypot(x+0.3*vx, y+0.3*vy)/180
 so = min(1.0, hypot(X+0.3*VX, Y+0.3*VY)/180)
 return 70*so*so-80*sm*sm-0.04*hypot(X-x, Y-y)


def _act(observation, M):
 obs = observation['agent_obs']
 E = float(observation['energy'])
 sv = observation['speed']
 vx = float(sv[0])
 vy = float(sv[1])
 t0 = str(observation['id']).endswith('0')
 oc = 8 if t0 else 10
 if E < 0:
  return [0, 0]
 green = []
 ops = []
 for i in range(40):
  row = obs[i]
  fw = 157.5-5*i
  for j in range(40):
   c = row[j]
   if c == 1:
    green.append((fw, 5*j-97.5))
   elif c == oc:
    ops.append((i, j))

 if 'x' not in M:
  sg = -1 if t0 else 1
  x = 0.25*vx
  y = sg*150+0.25*vy
  h0 = -sg*pi/2
  bh, be = h0, 1e18
  for k in range(-34, 35):
   h = h0+radians(5*k)
   c = cos(h)
   s = sin(h)
   e = 0.0
   for fw, rt in green:
    q = hypot(x+fw*c-rt*s, y+fw*s+rt*c)-200
    e += min(q*q, 900.0)
   e = e/150+25.0*k*k/4000
   if e < be:
    be, bh = e, h
  f = 100 if -(x*cos(bh)+y*sin(bh)) >= 0 else -100
  M.update(x=x, y=y, h=wrap(bh), lock=False, bad=0, X=0.0,
   Y=-sg*150.0, VX=0.0, VY=0.0, un=-15, age=0,
   f=f, t=0.0, vx=vx, vy=vy, first=True)
  return [f, 0]

 # heading
 pvx, pvy, f = M['vx'], M['vy'], M['f']
 h = wrap(M['h']+M['t'])
 sp = hypot(vx, vy)
 was = M['lock']
 dvx = vx-pvx
 dvy = vy-pvy
 if abs(f) >= 50 and sp < 99 and abs(hypot(dvx, dvy)-abs(f)*0.1) < 1:
  hm = atan2(dvy, dvx)
  if f < 0:
   hm = wrap(hm+pi)
  if not was or abs(wrap(hm-h)) < 0.15:
   h = hm
   M['lock'] = True
   M['bad'] = 0
  else:
   M['bad'] += 1
   if M['bad'] >= 3:
    h = hm
    M['bad'] = 0
 ch = cos(h)
 sh = sin(h)
 # collision?
 ex, ey = cap(pvx+0.1*f*ch, pvy+0.1*f*sh, 100)
 jx = vx-ex
 jy = vy-ey
 J = hypot(jx, jy)
 hit = was and J > 4
 # position
 x, y = M['x'], M['y']
 if hit:
  x += 0.05*(pvx+vx)
  y += 0.05*(pvy+vy)
 else:
  x += 0.1*pvx
  y += 0.1*pvy
 if green:
  lam = (0.3 if hit or M['first'] else 5.0)*len(green)
  a11 = a22 = lam
  a12 = b1 = b2 = 0.0
  lim = 40 if M['first'] else 25
  for fw, rt in green:
   qx = x+fw*ch-rt*sh
   qy = y+fw*sh+rt*ch
   r = hypot(qx, qy)+1e-6
   e = r-200
   if abs(e) > lim:
    continue
   qx /= r
   qy /= r
   a11 += qx*qx
   a12 += qx*qy
   a22 += qy*qy
   b1 -= e*qx
   b2 -= e*qy
  det = a11*a22-a12*a12
  if det > 1e-9:
   x += (b1*a22-b2*a12)/det
   y += (b2*a11-b1*a12)/det
 if M['lock']:
  M['first'] = False
 # opponent
 X, Y, VX, VY = M['X'], M['Y'], M['VX'], M['VY']
 un, age = M['un'], M['age']
 if hit:
  nx = -jx/J
  ny = -jy/J
  if un > 5 or age == 0:
   X = x+40*nx
   Y = y+40*ny
   VX = VY = 0.0
   un = 0
  g = pvx*nx+pvy*ny-VX*nx-VY*ny
  X += 0.1*VX+0.05*g*nx
  Y += 0.1*VY+0.05*g*ny
  VX += g*nx
  VY += g*ny
  age = max(age, 3)
 else:
  X += 0.1*VX
  Y += 0.1*VY
 if len(ops) >= 2:
  n = float(len(ops))
  I = [p[0] for p in ops]
  K = [p[1] for p in ops]
  ci = sum(I)/n
  cj = sum(K)/n
  i0, i1, j0, j1 = min(I), max(I), min(K), max(K)
  cut = True
  if i0 == 0:
   ci = i1-3.5
  elif i1 == 39:
   ci = i0+3.5
  elif 0 < j0 and j1 < 39:
   cut = False
  if j0 == 0:
   cj = j1-3.5
  elif j1 == 39:
   cj = j0+3.5
  fw = 157.5-5*ci
  rt = 5*cj-97.5
  zx = x+fw*ch-rt*sh
  zy = y+fw*sh+rt*ch
  if age == 0 or un > 5:
   X, Y, VX, VY = zx, zy, 0.0, 0.0
   age = 1
  else:
   rx = zx-X
   ry = zy-Y
   if hypot(rx, ry) > 25:
    X, Y = zx, zy
   else:
    be = 1.0 if age == 1 else 0.7 if age == 2 else 0.5
    if cut:
     be *= 0.4
    X += 0.8*rx
    Y += 0.8*ry
    VX += 10*be*rx
    VY += 10*be*ry
   age += 1
  un = 0
 else:
  un += 1
  VX *= 0.97
  VY *= 0.97
  fw = (X-x)*ch+(Y-y)*sh
  rt = (Y-y)*ch-(X-x)*sh
  if -25 < fw < 145 and abs(rt) < 85:
   un += 2
  r = hypot(X, Y)
  if r > 172:
   X *= 172/r
   Y *= 172/r
   VX = VY = 0.0
 VX, VY = cap(VX, VY, 100)
 M.update(x=x, y=y, h=h, X=X, Y=Y, VX=VX, VY=VY, un=un, age=age,
  vx=vx, vy=vy)

 fm = 200 if E > 150 else 100
 rx = X-x
 ry = Y-y
 if un > 10:
  # search: rotate and drift to the centre
  if 'sd' not in M:
   M['sd'] = 1 if wrap(atan2(ry, rx)-h) >= 0 else -1
  r = hypot(x, y)+1e-6
  vr = (x*vx+y*vy)/r
  if vr > 0 and r+vr*vr/160+0.15*vr > 160:
   t, f = base(x, y, vx, vy, h, 0.0, 0.0, 0.0, 0.0, 1)
  else:
   t = MT*M['sd']
   g = min(1.2, 50/r)
   f = 10*((-g*x-vx)*cos(h+t)+(-g*y-vy)*sin(h+t))
  bt, bf = snap(t, f, fm)
 else:
  # look-ahead
  M.pop('sd', None)
  S = (x, y, vx, vy, h, X, Y, VX, VY)
  RM = max(177.0, hypot(x, y)+1)
  cands = []
  for mode in (0, 1):
   t, f = base(x, y, vx, vy, h, X, Y, VX, VY, mode)
   cands.append(snap(t, f, fm))
  for t in (0, -5, 5, -15, 15, -30, 30):
   for f in (0, 100, -100, 200):
    if f <= fm and (t, f) not in cands:
     cands.append((t, f))
  d = hypot(rx, ry)+1e-6
  best = -1e18
  bt, bf = cands[0]
  for t, f in cands:
   tr = radians(t)
   c = cos(h+tr)
   s = sin(h+tr)
   fw = rx*c+ry*s
   lt = ry*c-rx*s
   bonus = 1.5*fw/d-0.001*abs(f)
   if not (-40 < fw < 160 and abs(lt) < 100):
    bonus -= 4
   bonus -= abs(f)*sp/500*(0.02 if E > 500 else 0.08)
   for mode in (0, 1):
    sc = (0.6*roll(S, tr, f, mode, 1, RM)
     + 0.4*roll(S, tr, f, mode, 0, RM)+bonus-mode)
    if sc > best:
     best = sc
     bt, bf = t, f
 if not M['lock'] and bf == 0:
  bf = 50
 bt = int(clip(bt, -30, 30))
 bf = int(clip(bf, -100, 200))
 M['f'] = bf
 M['t'] = radians(bt)
 return [bf, bt]


def act(observation, memory):
 try:
  return _act(observation, memory)
 except Exception:
  memory['f'] = 0
  memory['t'] = 0.0
  return [0, 0]
