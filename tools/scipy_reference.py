"""Writes crates/stats/tests/scipy_reference.tsv: what SciPy says, checked by mpmath at 50 digits.

SciPy is the reference people compare with; mpmath decides where SciPy itself has lost digits. A row's `source`
says whose value it is: `scipy` where the two agree to 1e-13 relative, else `mpmath`.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install scipy==1.17.1 mpmath==1.4.1
    /tmp/venv/bin/python tools/scipy_reference.py > crates/stats/tests/scipy_reference.tsv
"""

import sys

import mpmath as mp
import scipy
from scipy import stats

mp.mp.dps = 50
ROWS = []
WORST = {}


def row(function, arguments, ours, exact):
    """`ours` is SciPy's value, `exact` mpmath's; both for the arguments as 64-bit floats."""
    exact = mp.mpf(exact)
    if exact == 0 or not (mp.mpf("1e-305") < abs(exact) < mp.mpf("1e305")):
        return
    off = abs(mp.mpf(float(ours)) / exact - 1)
    WORST[function] = max(WORST.get(function, (mp.mpf(0), ())), (off, tuple(arguments)))
    source, value = ("scipy", float(ours)) if off < mp.mpf("1e-13") else ("mpmath", float(exact))
    ROWS.append("\t".join([function, *(repr(a) for a in arguments), *[""] * (3 - len(arguments)), repr(value), source]))


def beta_lower(a, b, x, y):
    """I_x(a, b) for x below the mean, by the classical continued fraction (Abramowitz & Stegun 26.5.8; not the one
    karat uses) evaluated by Lentz's method at 50 digits."""
    density = mp.exp(a * mp.log(x) + b * mp.log(y) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)) / a
    c, d = mp.mpf(1), 1 / (1 - (a + b) * x / (a + 1))
    value = d
    m = 0
    while True:
        m += 1
        step = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + step * d), 1 + step / c
        value *= c * d
        step = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + step * d), 1 + step / c
        value *= c * d
        if abs(c * d - 1) < mp.mpf("1e-30"):
            return density * value


def beta_tail(a, b, x, y, upper):
    """One tail of Beta(a, b), by the fraction on the side where it converges."""
    x, y = x(), y()
    if upper:
        a, b, x, y = b, a, y, x
    return beta_lower(a, b, x, y) if a * y >= b * x else 1 - beta_lower(b, a, y, x)


def t_sf(t, df):
    if t < 0:
        return 1 - t_sf(-t, df)
    t, df = mp.mpf(t), mp.mpf(df)
    return beta_tail(mp.mpf(1) / 2, df / 2, lambda: t * t / (df + t * t), lambda: df / (df + t * t), True) / 2


def f_tail(x, d1, d2, upper):
    x, d1, d2 = mp.mpf(x), mp.mpf(d1), mp.mpf(d2)
    return beta_tail(d1 / 2, d2 / 2, lambda: d1 * x / (d1 * x + d2), lambda: d2 / (d1 * x + d2), upper)


def gamma_tail(a, x, upper):
    with mp.workdps(60):
        return mp.gammainc(a, x, mp.inf, regularized=True) if upper else mp.gammainc(a, 0, x, regularized=True)


def polish(guess, p, tail):
    """Secant in the logarithm of the point, on the logarithm of the (lower or upper) tail, from SciPy's answer."""
    x0 = mp.mpf(float(guess))
    goal = mp.log(p)
    g0 = mp.log(tail(x0)) - goal
    x1 = x0 * (1 + mp.mpf("1e-8"))
    for _ in range(40):
        g1 = mp.log(tail(x1)) - goal
        if g1 == g0 or abs(g1) < mp.mpf("1e-24"):
            break
        l0, l1 = mp.log(abs(x0)), mp.log(abs(x1))
        x0, g0, x1 = x1, g1, mp.sign(x1) * mp.exp(l1 - g1 * (l1 - l0) / (g1 - g0))
        if abs(x1 / x0 - 1) < mp.mpf("1e-22"):
            break
    return x1


def with_digits(digits, compute):
    """`compute()` at more digits than usual."""
    with mp.workdps(digits):
        return compute()


def smaller(p):
    """(probability, upper?) of the smaller tail for lower probability p, exactly."""
    return (mp.mpf(p), False) if p <= 0.5 else (1 - mp.mpf(p), True)


def student():
    for df in (0.3, 1, 1.5, 2, 3, 4.7, 9, 29, 49, 99.5, 249, 999, 5000, 50000, 1e7):
        for t in (0.01, 0.1, 0.5, 1.0, 1.7, 2.0, 3.5, 6.0, 12.0, 25.0, 40.0):
            exact = t_sf(t, df)
            row("t_sf", [t, df], stats.t.sf(t, df), exact)
        row("t_cdf", [1.3, df], stats.t.cdf(1.3, df), 1 - t_sf(1.3, df))
        row("t_two_sided", [2.2, df], 2 * stats.t.sf(2.2, df), 2 * t_sf(2.2, df))
    for df in (0.7, 1, 2, 2.5, 5, 9, 30.3, 49, 249, 1000, 50000):
        for p in (1e-12, 1e-10, 1e-6, 0.0005, 0.025, 0.3, 0.49, 0.500001, 0.6, 0.9, 0.975, 0.9995, 1 - 1e-10, 1 - 1e-12):
            tail, upper = smaller(p)
            guess = abs(stats.t.ppf(p, df) if not upper else stats.t.isf(float(tail), df))
            if upper and abs(p - 0.5) < 0.01 or not upper and p > 0.48:
                # Near the median the tail says nothing about a tiny t; solve for the middle.
                middle = abs(1 - 2 * mp.mpf(p))
                value = polish(guess, middle, lambda t: 1 - 2 * t_sf(t, df))
            else:
                value = polish(guess, tail, lambda t: t_sf(t, df))
            row("t_quantile", [p, df], stats.t.ppf(p, df), value if upper else -value)


def normal():
    for z in (0.1, 0.25, 0.5, 0.9, 1.0, 1.1, 1.5, 1.96, 2.5, 3.0, 4.5, 6.0, 8.0, 12.0, 17.0, 23.0, 30.0, 37.0):
        exact = mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2
        row("normal_sf", [z], stats.norm.sf(z), exact)
        row("normal_cdf", [-z], stats.norm.cdf(-z), exact)
        row("normal_cdf", [z], stats.norm.cdf(z), 1 - exact)
        row("normal_two_sided", [-z], 2 * stats.norm.sf(z), 2 * exact)
    for p in (1e-300, 1e-200, 1e-100, 1e-50, 1e-20, 1e-12, 1e-8, 1e-4, 0.01, 0.025, 0.2, 0.25, 0.26, 0.4, 0.4999, 0.4999999999,
              0.500001, 0.6, 0.74, 0.76, 0.9, 0.975, 0.9999, 1 - 1e-10, 1 - 1e-15):
        # For far tails erfinv needs as many digits as 1 − 2p has nines.
        exact = with_digits(400, lambda: mp.sqrt(2) * mp.erfinv(2 * mp.mpf(p) - 1)) if 1e-20 < p else polish(
            -stats.norm.ppf(p), mp.mpf(p), lambda z: mp.erfc(z / mp.sqrt(2)) / 2) * -1
        row("normal_quantile", [p], stats.norm.ppf(p), exact)


def binomial():
    for n in (5, 50, 1000, 20000, 100000):
        for p in (1e-4, 0.05, 0.3, 0.5, 0.97):
            sd = (n * p * (1 - p)) ** 0.5
            for z in (-8, -3, -1, 0, 1.5, 4, 10):
                k = int(n * p + z * sd)
                if not 0 <= k < n:
                    continue
                row("binomial_cdf", [k, n, p], stats.binom.cdf(k, n, p),
                    beta_tail(mp.mpf(k + 1), mp.mpf(n - k), lambda: mp.mpf(p), lambda: 1 - mp.mpf(p), True))
                row("binomial_sf", [k, n, p], stats.binom.sf(k, n, p),
                    beta_tail(mp.mpf(k + 1), mp.mpf(n - k), lambda: mp.mpf(p), lambda: 1 - mp.mpf(p), False))
            for q in (1e-10, 0.001, 0.025, 0.4, 0.51, 0.975, 0.999999):
                k = int(stats.binom.ppf(q, n, p))
                if k > 0:
                    # mpmath confirms that k is the least one: cdf(k − 1) < q ≤ cdf(k).
                    cdf = lambda k: 1 if k >= n else beta_tail(mp.mpf(k + 1), mp.mpf(n - k), lambda: mp.mpf(p), lambda: 1 - mp.mpf(p), True)
                    assert cdf(k - 1) < mp.mpf(q) <= cdf(k), (q, n, p, k)
                    row("binomial_quantile", [q, n, p], k, k)


def beta():
    shapes = [(0.5, 0.5), (0.05, 0.3), (1, 1), (2, 3), (1, 100000), (100000, 1), (500, 501), (30, 0.5), (0.5, 24999.5),
              (7, 44), (40000, 60000), (3.3, 90000.5)]
    for a, b in shapes:
        for p in (1e-12, 1e-6, 0.001, 0.025, 0.3, 0.5, 0.7, 0.975, 0.999, 1 - 1e-12):
            tail, upper = smaller(p)
            guess = float(stats.beta.ppf(p, a, b))
            if not 1e-290 < guess < 1:
                continue
            if guess > 0.999:
                # Near 1 the complement carries the information: polish 1 − x, then take it away from 1.
                rest = max(float(stats.beta.ppf(float(1 - mp.mpf(p)), b, a)), 1e-290)
                exact = 1 - polish(rest, tail, lambda y: beta_tail(mp.mpf(a), mp.mpf(b), lambda: 1 - y, lambda: y, upper))
            else:
                exact = polish(guess, tail, lambda x: beta_tail(mp.mpf(a), mp.mpf(b), lambda: +x, lambda: 1 - x, upper))
            row("beta_quantile", [p, a, b], guess, exact)
        mean, sd = a / (a + b), (a * b / (a + b + 1)) ** 0.5 / (a + b)
        for z in (-6, -2, -0.5, 0.1, 1, 5, 12):
            x = mean + z * sd
            if 0 < x < 1:
                row("beta_cdf", [x, a, b], stats.beta.cdf(x, a, b),
                    beta_tail(mp.mpf(a), mp.mpf(b), lambda: mp.mpf(x), lambda: 1 - mp.mpf(x), False))
                row("beta_sf", [x, a, b], stats.beta.sf(x, a, b),
                    beta_tail(mp.mpf(a), mp.mpf(b), lambda: mp.mpf(x), lambda: 1 - mp.mpf(x), True))


def chi_squared_and_f():
    for df in (0.5, 1, 2, 3.5, 10, 49, 500, 20000):
        for factor in (0.01, 0.3, 0.9, 1.0, 1.1, 2.0, 5.0, 30.0):
            x = df * factor
            row("chi_squared_sf", [x, df], stats.chi2.sf(x, df), gamma_tail(mp.mpf(df) / 2, mp.mpf(x) / 2, True))
            row("chi_squared_cdf", [x, df], stats.chi2.cdf(x, df), gamma_tail(mp.mpf(df) / 2, mp.mpf(x) / 2, False))
        for p in (1e-12, 1e-4, 0.05, 0.5, 0.95, 0.9999, 1 - 1e-12):
            tail, upper = smaller(p)
            guess = float(stats.chi2.ppf(p, df))
            with mp.workdps(60):
                exact = polish(guess, tail, lambda x: mp.gammainc(mp.mpf(df) / 2, x / 2, mp.inf, regularized=True) if upper
                               else mp.gammainc(mp.mpf(df) / 2, 0, x / 2, regularized=True))
            row("chi_squared_quantile", [p, df], guess, exact)
    for d1, d2 in ((1, 1), (1, 49), (3, 147), (2.5, 7.5), (9, 4000), (24, 2400), (100, 50000)):
        for f in (0.01, 0.3, 0.9, 1.0, 1.4, 2.5, 6.0, 30.0):
            row("f_sf", [f, d1, d2], stats.f.sf(f, d1, d2), f_tail(f, d1, d2, True))
            row("f_cdf", [f, d1, d2], stats.f.cdf(f, d1, d2), f_tail(f, d1, d2, False))
        for p in (1e-10, 0.001, 0.05, 0.5, 0.95, 0.999, 1 - 1e-10):
            tail, upper = smaller(p)
            row("f_quantile", [p, d1, d2], stats.f.ppf(p, d1, d2),
                polish(float(stats.f.ppf(p, d1, d2)), tail, lambda f: f_tail(f, d1, d2, upper)))


def noncentral_sf(t, df, nc):
    """P(T > t) by the series of Lenth (1989, AS 243), which karat does not use: a Poisson mixture of beta tails. Its terms cancel
    when nc is negative, which 50 digits can spare."""
    if t < 0:
        return 1 - noncentral_sf(-t, df, -nc)
    t, df, nc = mp.mpf(t), mp.mpf(df), mp.mpf(nc)
    x, y = t * t / (df + t * t), df / (df + t * t)
    half = nc * nc / 2
    p, q = mp.exp(-half), nc / mp.sqrt(2) * mp.exp(-half) / mp.gamma(mp.mpf(3) / 2)
    total, j = mp.mpf(0), 0
    while True:
        tail = lambda a: mp.mpf(1) if t == 0 else beta_tail(a, df / 2, lambda: x, lambda: y, True)
        total += (p * tail(j + mp.mpf(1) / 2) + q * tail(mp.mpf(j + 1))) / 2
        j += 1
        p, q = p * half / j, q * half / (j + mp.mpf(1) / 2)
        if j > half and p + abs(q) < mp.mpf("1e-40"):
            return total


def noncentral_t():
    for df in (1, 2.5, 4, 9, 24, 49, 199, 999):
        for t, nc in ((0.3, 1.0), (2.0, 0.5), (2.0, 2.8), (2.0, 5.0), (2.0, -1.0), (-2.0, 0.5), (-2.0, 2.8), (4.0, 4.0), (7.0, 3.0),
                      (12.0, 10.0)):
            above = noncentral_sf(t, df, nc)
            for name, ours, exact in (("noncentral_t_sf", stats.nct.sf, above), ("noncentral_t_cdf", stats.nct.cdf, 1 - above)):
                if exact > mp.mpf("1e-12"):
                    row(name, [t, df, nc], ours(t, df, nc), exact)


for part in (student, normal, binomial, beta, chi_squared_and_f, noncentral_t):
    part()
    print(part.__name__, "done", file=sys.stderr, flush=True)
print(f"# Generated by tools/scipy_reference.py with SciPy {scipy.__version__} and mpmath {mp.__version__}; do not edit.")
print("function\targument_1\targument_2\targument_3\tvalue\tsource")
print("\n".join(ROWS))
for function, (off, arguments) in sorted(WORST.items()):
    print(f"SciPy against mpmath: {function} worst {float(off):.1e} at {arguments}", file=sys.stderr)
