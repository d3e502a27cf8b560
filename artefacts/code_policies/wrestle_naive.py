import math

FORCES = (-100, -50, 0, 50, 100, 150, 200)
TURNS = (0, 5, -5, 10, -10, 15, -15, 20, -20, 25, -25, 30, -30)
RAD = math.pi / 180.0


def wrap(a):
    return (a + 180.0) % 360.0 - 180.0


def clip(x, y, m=100.0):
    s = math.hypot(x, y)
    if s > m:
        return x * m / s, y * m / s
    return x, y


def scan(grid, code):
    bpts, opp = [], []
    for i in range(len(grid)):
        row = grid[i]
        for j in range(len(row)):
            c = row[j]
            if c == 0:
                continue
            if c == 1:
                bpts.append((157.5 - 5 * i, 5 * j - 97.5))
            elif c == code:
                opp.append((i, j))
    return bpts, opp


def opp_center(px):
    n = len(px)
    i0 = min(q[0] for q in px)
    i1 = max(q[0] for q in px)
    j0 = min(q[1] for q in px)
    j1 = max(q[1] for q in px)
    ci = sum(q[0] for q in px) / n
    cj = sum(q[1] for q in px) / n
    if i1 - i0 < 7:
        if i0 <= 0:
            ci = i1 - 3.5
        elif i1 >= 39:
            ci = i0 + 3.5
    if j1 - j0 < 7:
        if j0 <= 0:
            cj = j1 - 3.5
        elif j1 >= 39:
            cj = j0 + 3.5
    return 157.5 - 5 * ci, 5 * cj - 97.5


def fit(p0, th, bpts, lam, iters):
    """Own position (ring centre = origin) from boundary points and a prior."""
    c, s = math.cos(th * RAD), math.sin(th * RAD)
    q = [(f * c - r * s, f * s + r * c) for f, r in bpts]
    px, py = p0
    cost = 0.0
    for _ in range(iters):
        a11 = a22 = lam
        a12 = 0.0
        g1 = lam * (px - p0[0])
        g2 = lam * (py - p0[1])
        cost = lam * ((px - p0[0]) ** 2 + (py - p0[1]) ** 2)
        for qx, qy in q:
            x = px + qx
            y = py + qy
            d = math.hypot(x, y)
            if d < 1e-6:
                continue
            e = d - 200.0
            w = 1.0 if abs(e) < 15 else 15.0 / abs(e)
            ux, uy = x / d, y / d
            a11 += w * ux * ux
            a12 += w * ux * uy
            a22 += w * uy * uy
            g1 += w * ux * e
            g2 += w * uy * e
            cost += w * e * e
        det = a11 * a22 - a12 * a12
        if abs(det) < 1e-9:
            break
        px -= (a22 * g1 - a12 * g2) / det
        py -= (a11 * g2 - a12 * g1) / det
    return (px, py), cost


def brake(px, py, vx, vy, th):
    """Largest distance from the centre during an emergency brake."""
    mx = math.hypot(px, py)
    for _ in range(16):
        sp = math.hypot(vx, vy)
        if sp < 1.0 or px * vx + py * vy <= 0:
            break
        r = max(math.hypot(px, py), 1e-6)
        bx = -(vx / sp + px / r)
        by = -(vy / sp + py / r)
        phi = wrap(math.atan2(by, bx) / RAD - th)
        if abs(phi) <= 100:
            a = 20.0
        else:
            phi = wrap(phi + 180.0)
            a = -10.0
        tr = max(-30.0, min(30.0, phi))
        th += tr
        px += 0.1 * vx
        py += 0.1 * vy
        if abs(phi - tr) < 80:
            vx += a * math.cos(th * RAD)
            vy += a * math.sin(th * RAD)
        r = math.hypot(px, py)
        if r > mx:
            mx = r
    return mx


def initialise(m, team, vx, vy, bpts):
    base = 90.0 if team == 0 else -90.0
    y0 = -150.0 if team == 0 else 150.0
    p0 = (0.3 * vx, y0 + 0.3 * vy)
    best = None
    for k in range(-36, 36):
        dth = 5.0 * k
        p, c = fit(p0, base + dth, bpts, 0.1, 4)
        c += 4.0 * (dth / 46.0) ** 2
        if best is None or c < best[0]:
            best = (c, p, wrap(base + dth))
    m['p'] = best[1]
    m['th'] = best[2]
    m['lock'] = False
    m['mis'] = 0
    m['o'] = (0.0, -y0)
    m['ov'] = (0.0, 0.0)
    m['unseen'] = -15
    m['spin'] = 1


def update_self(m, vx, vy, bpts):
    force, turn = m['a']
    pvx, pvy = m['v']
    th = wrap(m['th'] + turn)
    a = 0.1 * force
    dvx, dvy = vx - pvx, vy - pvy
    mag = math.hypot(dvx, dvy)
    lam = 1.0
    if force != 0 and abs(mag - abs(a)) < 0.1 and math.hypot(vx, vy) < 99.5:
        sg = 1.0 if force > 0 else -1.0
        mt = math.atan2(dvy * sg, dvx * sg) / RAD
        if not m['lock'] or abs(wrap(mt - th)) < 12:
            if not m['lock']:
                lam = 0.1
            th = mt
            m['lock'] = True
            m['mis'] = 0
        else:
            m['mis'] += 1
            if m['mis'] >= 3:
                th = mt
                m['mis'] = 0
    ex, ey = clip(pvx + a * math.cos(th * RAD), pvy + a * math.sin(th * RAD))
    dux, duy = vx - ex, vy - ey
    px, py = m['p']
    if m['lock'] and math.hypot(dux, duy) > 2.0:
        px += 0.05 * (pvx + vx)
        py += 0.05 * (pvy + vy)
        ox, oy = m['o']
        if math.hypot(ox - px, oy - py) < 70:
            ovx, ovy = m['ov']
            m['ov'] = clip(ovx - dux, ovy - duy)
    else:
        px += 0.1 * pvx
        py += 0.1 * pvy
    p, _ = fit((px, py), th, bpts, lam, 3)
    m['p'] = p
    m['th'] = th


def update_opp(m, opp):
    px, py = m['p']
    th = m['th']
    c, s = math.cos(th * RAD), math.sin(th * RAD)
    ox, oy = m['o']
    ovx, ovy = m['ov']
    ox += 0.1 * ovx
    oy += 0.1 * ovy
    if opp:
        f, r = opp_center(opp)
        zx = px + f * c - r * s
        zy = py + f * s + r * c
        ex, ey = zx - ox, zy - oy
        if m['unseen'] > 25 or m['unseen'] < 0 or math.hypot(ex, ey) > 30:
            ox, oy = zx, zy
            ovx, ovy = 0.0, 0.0
        else:
            ox += 0.7 * ex
            oy += 0.7 * ey
            ovx, ovy = clip(ovx + 3.5 * ex, ovy + 3.5 * ey)
        m['unseen'] = 0
    else:
        ovx *= 0.95
        ovy *= 0.95
        ox, oy = clip(ox, oy, 178.0)
        m['unseen'] += 1
        if m['unseen'] == 0:
            m['unseen'] = 1
        dx, dy = ox - px, oy - py
        f = dx * c + dy * s
        r = -dx * s + dy * c
        if m['unseen'] <= 25:
            m['spin'] = 1 if r >= 0 else -1
            if -25 < f < 145 and abs(r) < 85:
                m['unseen'] = 99
    m['o'] = (ox, oy)
    m['ov'] = (ovx, ovy)


def decide(m, vx, vy, energy):
    px, py = m['p']
    th = m['th']
    ox, oy = m['o']
    ovx, ovy = m['ov']
    r_me = math.hypot(px, py)
    limit = 150.0
    if m['unseen'] > 25:
        # search: drift to the centre and spin
        tx, ty = clip(-0.6 * px, -0.6 * py, 50.0)
        face = th + 30.0 * m['spin']
        w = 30000.0
    else:
        dx, dy = ox - px, oy - py
        d = max(math.hypot(dx, dy), 1e-6)
        nx, ny = dx / d, dy / d
        closing = (vx - ovx) * nx + (vy - ovy) * ny
        t = max(0.0, min(0.8, (d - 40.0) / max(closing, 50.0)))
        ax, ay = clip(ox + ovx * t, oy + ovy * t, 172.0)
        k = min(0.5, max(0.0, (d - 60.0) / 250.0))
        ax *= 1.0 - k
        ay *= 1.0 - k
        gx, gy = ax - px, ay - py
        g = math.hypot(gx, gy)
        if g < 5.0:
            gx, gy, g = nx, ny, 1.0
        spd = 100.0
        w = 3000.0
        if m['unseen'] > 3:
            spd = 60.0
            w = 8000.0
        tx, ty = gx / g * spd, gy / g * spd
        face = math.atan2(dy + 0.1 * ovy, dx + 0.1 * ovx) / RAD
        if d < 90 and math.hypot(ox, oy) > r_me and m['unseen'] <= 3:
            limit = 167.0
    qx, qy = px + 0.1 * vx, py + 0.1 * vy
    sp0 = math.hypot(vx, vy)
    best = None
    act_best = (0, 0)
    for turn in TURNS:
        t2 = th + turn
        c, s = math.cos(t2 * RAD), math.sin(t2 * RAD)
        fa = wrap(t2 - face) / 180.0
        hc = w * fa * fa
        for force in FORCES:
            nvx, nvy = clip(vx + 0.1 * force * c, vy + 0.1 * force * s)
            cost = (nvx - tx) ** 2 + (nvy - ty) ** 2 + hc
            cost += 0.01 * abs(force)
            if force == 0 and not m['lock']:
                cost += 1500.0
            ec = abs(force) * max(sp0, math.hypot(nvx, nvy)) / 500.0
            if ec > 0 and energy - ec < 25:
                cost += 30000.0
            elif energy < 450:
                cost += ec * 150.0 * (450.0 - energy) / 450.0
            mx = brake(qx, qy, nvx, nvy, t2)
            if mx > limit:
                cost += 100.0 * (mx - limit) ** 2
                if mx > 176:
                    cost += 20000.0 + 2000.0 * (mx - 176)
            if best is None or cost < best:
                best = cost
                act_best = (force, turn)
    return act_best


def _act(observation, m):
    sp = observation['speed']
    vx, vy = float(sp[0]), float(sp[1])
    energy = float(observation['energy'])
    if energy < 0:
        return [0, 0]
    team = 0 if str(observation['id']).endswith('0') else 1
    bpts, opp = scan(observation['agent_obs'], 8 if team == 0 else 10)
    if 'a' not in m:
        initialise(m, team, vx, vy, bpts)
    else:
        update_self(m, vx, vy, bpts)
    update_opp(m, opp)
    a = decide(m, vx, vy, energy)
    m['a'] = a
    m['v'] = (vx, vy)
    return [a[0], a[1]]


def act(observation, memory):
    try:
        return _act(observation, memory)
    except Exception:
        memory.clear()
        return [0, 0]
