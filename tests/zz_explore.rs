//! Scratch.
use pencil_tennis::*;
#[test]
fn explore() {
    let s = solve(50).unwrap();
    for b in -2..=2 {
        let mut m: Vec<_> = s
            .equilibria()
            .filter(|e| e.is_randomised() && e.state.ball.position() == b)
            .map(|e| (e.state.a + e.state.b, e.state.to_string(), e.value))
            .collect();
        m.sort_by(|p, q| p.0.cmp(&q.0));
        println!("{b}: {} {:?}", m.len(), &m[..8]);
        let sq: Vec<_> = s
            .equilibria()
            .filter(|e| e.is_randomised() && e.state.ball.position() == b)
            .map(|e| (e.state.a.max(e.state.b), e.state.to_string()))
            .collect();
        let k = sq.iter().map(|x| x.0).min().unwrap();
        println!("   smallest max {k}: {:?}", sq.iter().filter(|x| x.0 <= k + 1).collect::<Vec<_>>());
    }
    let w = Solver::new(Rules::tennis()).method(Method::Lp).solve().unwrap();
    println!("lp {:?} widest {:e}", w.seconds(), w.widest_enclosure());
    for t in ["50:50@0", "50:49@-2", "50:50@-2"] {
        let e = w.equilibrium(t.parse().unwrap()).unwrap();
        println!("{t} {} {} {:?}", e.a.support_size(), e.b.support_size(), e.a.probabilities().take(12).collect::<Vec<_>>());
    }
    println!(
        "max support lp {:?}",
        w.equilibria().map(|e| (e.a.support_size().max(e.b.support_size()), e.state.to_string())).max()
    );
    let e = s.equilibrium("50:49@-2".parse().unwrap()).unwrap();
    let f = w.equilibrium("50:49@-2".parse().unwrap()).unwrap();
    println!("50:49 max diff {:e}", (1..=50).map(|b| (e.a.probability(b) - f.a.probability(b)).abs()).fold(0.0, f64::max));
    println!("50:49 max diff B {:e}", (1..=50).map(|b| (e.b.probability(b) - f.b.probability(b)).abs()).fold(0.0, f64::max));
    let e = s.equilibrium("50:50@-2".parse().unwrap()).unwrap();
    let f = w.equilibrium("50:50@-2".parse().unwrap()).unwrap();
    println!("50:50@-2 max diff {:e}", (1..=50).map(|b| (e.a.probability(b) - f.a.probability(b)).abs()).fold(0.0, f64::max));
    println!("50:50@-2 max diff B {:e}", (1..=50).map(|b| (e.b.probability(b) - f.b.probability(b)).abs()).fold(0.0, f64::max));
}
