from math import hypot, sin, cos, atan2, sqrt, pi, radians, degrees

T = pi / 6
TURNS = (0, -5, 5, -15, 15, -30, 30)
FORCES = (200, 100, 0, -100)
N = 22

def wrap(a):
 return (a + pi) % (2 * pi) - pi

def ctrl(dx, dy, h, rev):
 m = hypot(dx, dy)
 if m < 2:
  return 0.0, 0.0
 a = wrap(atan2(dy, dx) - h)
 b = a
 if rev and abs(a) > 1.9:
  b = a - pi if a > 0 else a + pi
 t = max(-T, min(T, b))
 return t, max(-100.0, min(200.0, 10 * m * cos(a - t)))

def fit(px, py, h, gr, lam, lim, it):
 c, s = cos(h), sin(h)
 pts = [(f * c - l * s, f * s + l * c) for f, l in gr]
 x0, y0 = px, py
 cost = 0.0
 k = 0
 for _ in range(it):
  a = d = lam
  b = 0.0
  g1 = lam * (px - x0)
  g2 = lam * (py - y0)
  cost = 0.0
  k = 0
  for qx, qy in pts:
   X = px + qx
   Y = py + qy
   R = hypot(X, Y) + 1e-9
   e = R - 200
   if abs(e) > lim:
    continue
   u = X / R
   w = Y / R
   a += u * u
   b += u * w
   d += w * w
   g1 += e * u
   g2 += e * w
   cost += e * e
   k += 1
  det = a * d - b * b
  if det < 1e-9:
   break
  px -= (d * g1 - b * g2) / det
  py -= (a * g2 - b * g1) / det
 cost += lam * ((px - x0) ** 2 + (py - y0) ** 2)
 return px, py, cost, k

def sim(S, t, f, mode, om):
 x, y, vx, vy, h, ox, oy, ux, uy = S
 acc = 0.0
 for k in range(N):
  px = ox - x
  py = oy - y
  d = hypot(px, py) + 1e-6
  if k:
   if mode == 1:
    t, f = ctrl(-0.5 * x - vx, -0.5 * y - vy, h, True)
   elif mode == 2:
    t = max(-T, min(T, wrap(atan2(py, px) - h)))
    a = h + t
    f = -10 * ((0.5 * x + vx) * cos(a) + (0.5 * y + vy) * sin(a))
    f = max(-100.0, min(200.0, f))
   else:
    r = hypot(x, y) + 1e-6
    vr = (x * vx + y * vy) / r
    brake = False
    if vr > 0 and r + vr * (0.2 + vr / 200) > 168:
     brake = not (d < 90 and vx * px + vy * py > 0.85 * d * hypot(vx, vy))
    if brake:
     t, f = ctrl(-30 * x / r - vx, -30 * y / r - vy, h, True)
    else:
     tau = min(0.6, max(0.0, (d - 40) / 110))
     wx = px + ux * tau
     wy = py + uy * tau
     if mode == 3:
      n = hypot(ox, oy) + 1e-6
      q = 45 * (1 - (px * ox + py * oy) / (d * n)) * min(1.0, n / 60) / n
      wx -= q * ox
      wy -= q * oy
     n = 100 / (hypot(wx, wy) + 1e-6)
     t, f = ctrl(wx * n - vx, wy * n - vy, h, False)
  h += t
  f *= 0.1
  ax = f * cos(h)
  ay = f * sin(h)
  bx = by = 0.0
  ro = hypot(ox, oy) + 1e-6
  ur = (ox * ux + oy * uy) / ro
  if ur > 0 and ro + ur * (0.1 + ur / 200) > 160:
   q = 15 if om else 9
   bx = -q * ox / ro
   by = -q * oy / ro
  elif om == 1:
   bx = -100 * px / d - ux
   by = -100 * py / d - uy
   n = hypot(bx, by)
   if n > 15:
    bx *= 15 / n
    by *= 15 / n
  elif om:
   q = px * uy - py * ux
   if abs(q) < 10 * d:
    q = py * ox - px * oy
   q = 15 / d if q > 0 else -15 / d
   bx = -q * py
   by = q * px
  hit = -1.0
  if d < 62:
   wx = ux - vx
   wy = uy - vy
   b = px * wx + py * wy
   if b < 0:
    a = wx * wx + wy * wy + 1e-9
    q = b * b - a * (d * d - 1600)
    if q > 0:
     hit = max(0.0, (-b - sqrt(q)) / a)
  if 0 <= hit < 0.1:
   x += vx * hit
   y += vy * hit
   ox += ux * hit
   oy += uy * hit
   nx = ox - x
   ny = oy - y
   n = hypot(nx, ny) + 1e-6
   nx /= n
   ny /= n
   j = (ux - vx) * nx + (uy - vy) * ny
   vx += j * nx
   vy += j * ny
   ux -= j * nx
   uy -= j * ny
   rest = 0.1 - hit
  else:
   rest = 0.1
  x += vx * rest
  y += vy * rest
  ox += ux * rest
  oy += uy * rest
  vx += ax
  vy += ay
  ux += bx
  uy += by
  n = vx * vx + vy * vy
  if n > 10000:
   n = 100 / sqrt(n)
   vx *= n
   vy *= n
  n = ux * ux + uy * uy
  if n > 10000:
   n = 100 / sqrt(n)
   ux *= n
   uy *= n
  r1 = x * x + y * y
  r2 = ox * ox + oy * oy
  op = r2 > 32400
  if r1 > 31329:
   if op:
    return -200.0
   return -1500.0 + 30 * k - 0.5 * (x * vx + y * vy) / 177
  if op:
   return 1000.0 - 15 * k
  acc += (r2 - r1) / 324 - 0.08 * d
 R1 = hypot(x + 0.5 * vx, y + 0.5 * vy)
 R2 = hypot(ox + 0.5 * ux, oy + 0.5 * uy)
 px = ox - x
 py = oy - y
 d = hypot(px, py) + 1e-6
 v = (R2 * R2 - R1 * R1) / 324 - 0.08 * d + 0.8 * acc / N
 v += 10 * (px * cos(h) + py * sin(h)) / d
 if R1 > 165:
  v -= 5 * (R1 - 165)
 if R2 > 170:
  v += 3 * (R2 - 170)
 return v

def plan(obs, M):
 s = 1 if str(obs["id"]).endswith("0") else -1
 oc = 8 if s == 1 else 10
 en = float(obs["energy"])
 vx = float(obs["speed"][0])
 vy = float(obs["speed"][1])
 gr = []
 gy = []
 op = []
 D = {1: gr, 4: gy, oc: op}
 for i, row in enumerate(obs["agent_obs"]):
  f = 157.5 - 5 * i
  for j, c in enumerate(row):
   if c in D:
    D[c].append((f, 5 * j - 97.5))
 first = "h" not in M
 if first:
  h = h0 = s * pi / 2
  x = 0.25 * vx
  y = -150.0 * s + 0.25 * vy
  M["rot"] = False
  if len(gr) >= 4:
   best = None
   for k in range(-36, 36):
    hh = h0 + radians(5 * k)
    a, b, c, n = fit(x, y, hh, gr, 0.05, 1e9, 4)
    c += 0.002 * k * k
    if best is None or c < best[0]:
     best = (c, hh, a, b)
   h, x, y = best[1:]
   M["rot"] = True
  ox, oy, ux, uy = 0.0, 150.0 * s, 0.0, 0.0
  M["cal"] = False
  M["bad"] = M["miss"] = M["uns"] = 0
  M["dir"] = M["seen"] = M["k"] = 0
  M["n"] = 9
 else:
  M["k"] += 1
  h = M["h"]
  x, y, ox, oy, ux, uy = M["st"]
  pvx, pvy = M["v"]
  F = M["F"]
  dvx = vx - pvx
  dvy = vy - pvy
  if F and abs(hypot(dvx, dvy) - abs(F) * 0.1) < 0.2:
   g = 1 if F > 0 else -1
   e = wrap(atan2(dvy * g, dvx * g) - h)
   if not M["cal"]:
    h += e
    if M["rot"]:
     c, q = cos(e), sin(e)
     x, y = x * c - y * q, x * q + y * c
    M["cal"] = True
   elif abs(e) > 0.05:
    M["bad"] += 1
    if M["bad"] > 2:
     h += e
     M["bad"] = 0
   else:
    M["bad"] = 0
  ex = pvx + F * 0.1 * cos(h)
  ey = pvy + F * 0.1 * sin(h)
  n = hypot(ex, ey)
  if n > 100:
   ex *= 100 / n
   ey *= 100 / n
  jx = vx - ex
  jy = vy - ey
  if M["cal"] and hypot(jx, jy) > 4 and hypot(ox - x, oy - y) < 75:
   x += 0.05 * (pvx + vx)
   y += 0.05 * (pvy + vy)
   ox += 0.1 * (ux - jx / 2)
   oy += 0.1 * (uy - jy / 2)
   ux -= jx
   uy -= jy
  else:
   x += 0.1 * pvx
   y += 0.1 * pvy
   ox += 0.1 * ux
   oy += 0.1 * uy
  if len(gr) >= 4:
   a, b, c, n = fit(x, y, h, gr, 2.0, 15.0, 2)
   if n * 2 < len(gr) and len(gr) >= 10:
    a, b, c, n = fit(x, y, h, gr, 0.2, 1e9, 5)
   x, y = a, b
 ch, sh = cos(h), sin(h)
 if M["cal"] and gy:
  sx = sy = 0.0
  nx = ny = 0
  for f, l in gy:
   X = x + f * ch - l * sh
   Y = y + f * sh + l * ch
   if abs(X) < 7 and abs(Y) > 15:
    sx += X
    nx += 1
   elif abs(Y) < 7 and abs(X) > 15:
    sy += Y
    ny += 1
  if nx > 4:
   x -= 0.3 * sx / nx
  if ny > 4:
   y -= 0.3 * sy / ny
 if len(op) >= 3:
  fs = [p[0] for p in op]
  ls = [p[1] for p in op]
  f = sum(fs) / len(fs)
  l = sum(ls) / len(ls)
  if max(fs) > 157:
   f = min(fs) + 18.5
  elif min(fs) < -37:
   f = max(fs) - 18.5
  if max(ls) > 97:
   l = min(ls) + 18.5
  elif min(ls) < -97:
   l = max(ls) - 18.5
  ex = x + f * ch - l * sh - ox
  ey = y + f * sh + l * ch - oy
  if hypot(ex, ey) > 25 or (M["uns"] > 3 and hypot(ex, ey) > 12):
   ox += ex
   oy += ey
   ux = uy = 0.0
   M["n"] = 1
  else:
   M["n"] += 1
   g, q = (0.9, 8.0) if M["n"] == 2 else (0.8, 5.0)
   q /= 1 + M["uns"]
   ox += g * ex
   oy += g * ey
   ux += q * ex
   uy += q * ey
  M["uns"] = M["miss"] = 0
  M["dir"] = 0
  M["seen"] = 1
 else:
  M["uns"] += 1
  ux *= 0.96
  uy *= 0.96
  px = ox - x
  py = oy - y
  f = px * ch + py * sh
  l = py * ch - px * sh
  if -25 < f < 145 and abs(l) < 85:
   M["miss"] += 1
 n = hypot(ux, uy)
 if n > 100:
  ux *= 100 / n
  uy *= 100 / n
 n = hypot(ox, oy)
 lim = 178.0 if M["uns"] == 0 else 165.0
 if n > lim:
  ox *= lim / n
  oy *= lim / n
  if M["uns"]:
   ux = uy = 0.0
 sp = hypot(vx, vy)
 ang = atan2(oy - y, ox - x)
 scan = M["miss"] >= 3 or M["uns"] > 26
 if en < 0:
  F, td = 0, 0
 elif first:
  td = 0
  F = 100 if x * ch + y * sh < 0 else -100
 elif M["uns"] and (scan or not M["seen"] or M["uns"] > 8):
  if scan and not M["dir"]:
   M["dir"] = 1 if wrap(ang - h) >= 0 else -1
  q = 0.0 if scan else 0.25
  wx, wy = 0.7 * (q * ox - x), 0.7 * (q * oy - y)
  n = hypot(wx, wy)
  if n > 75:
   wx *= 75 / n
   wy *= 75 / n
  wx -= vx
  wy -= vy
  far = hypot(x + 0.5 * vx, y + 0.5 * vy) > 115
  if far or (not scan and hypot(wx, wy) > 20):
   t, f = ctrl(wx, wy, h, True)
  else:
   t = M["dir"] * T if scan else max(-T, min(T, wrap(ang - h)))
   a = h + t
   f = 10 * (wx * cos(a) + wy * sin(a))
  td = max(-30, min(30, 5 * int(round(degrees(t) / 5))))
  F = max(-100, min(200, 50 * int(round(f / 50))))
  if F and en - abs(F) * (sp + 15) / 500 + 20 < 30:
   F = 0
 else:
  S = (x, y, vx, vy, h, ox, oy, ux, uy)
  late = M["k"] > 220
  ms = (0, 3, 1) if late else (0, 3, 1, 2)
  todo = [(a, f) for a in TURNS for f in FORCES]
  res = []
  best = -1e18
  for _ in range(1 if late else 2):
   for a, f in todo:
    t = radians(a)
    cost = abs(f) * (sp + 15) / 500
    if f and en - cost + 20 < 40:
     continue
    v = -1e9
    for m in ms:
     w = 0.55 * sim(S, t, f, m, 1)
     if w + 450 < max(v, best - 25):
      continue
     w += 0.45 * sim(S, t, f, m, 0)
     if w > v:
      v = w
    v -= 0.01 * abs(a) + cost * max(0.0, 400 - en) * 0.0008
    if M["uns"]:
     v += 10 * cos(h + t - ang)
    best = max(best, v)
    res.append((v, a, f))
   v, a, f = max(res)
   todo = [(a - 5, f), (a + 5, f), (a, f - 50), (a, f + 50)]
   todo = [p for p in todo if abs(p[0]) < 31 and -101 < p[1] < 201]
  best = -1e18
  F, td = 0, 0
  for v, a, f in sorted(res)[-5:]:
   t = radians(a)
   w = max([sim(S, t, f, m, 2) for m in ms])
   v = 0.85 * v + 0.15 * w
   if v > best:
    best = v
    F, td = f, a
 M["h"] = h + radians(td)
 M["F"] = F
 M["v"] = (vx, vy)
 M["st"] = (x, y, ox, oy, ux, uy)
 return [float(F), float(td)]

def act(observation, memory):
 try:
  return plan(observation, memory)
 except Exception:
  memory["F"] = 0
  return [0.0, 0.0]
