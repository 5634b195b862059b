//! Scratch.
use pencil_tennis::*;
#[test]
fn explore() {
    let s = solve(50).unwrap();
    for st in ["50:50@-2", "50:49@-2"] {
        let e = s.equilibrium(st.parse().unwrap()).unwrap();
        for (n, x) in [("A", &e.a), ("B", &e.b)] {
            println!(
                "{st} {n} {} bids {:?}",
                x.support_size(),
                x.probabilities().map(|(b, p)| format!("{b}:{p:.2e}")).collect::<Vec<_>>().join(" ")
            );
        }
    }
    let mut tiny = vec![];
    let mut all: Vec<(u64, String)> = vec![];
    for e in s.equilibria() {
        for x in [&e.a, &e.b] {
            let m = x.weights().map(|w| w.1).min().unwrap();
            if m < 1000 {
                tiny.push((m, e.state.to_string()));
            }
            all.push((m, e.state.to_string()));
        }
    }
    println!("tiny {} {:?}", tiny.len(), &tiny[..tiny.len().min(10)]);
    all.sort();
    println!("{:?}", all.iter().filter(|m| m.0 >= 1000).take(10).collect::<Vec<_>>());
    for cut in [0u64, 1, 2, 4, 16, 256, 1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28, 1 << 32] {
        println!(
            "cut {cut} max support {:?}, 50:50@-2 {:?}",
            s.equilibria()
                .map(|e| e.a.weights().filter(|w| w.1 > cut).count().max(e.b.weights().filter(|w| w.1 > cut).count()))
                .max(),
            {
                let e = s.equilibrium("50:50@-2".parse().unwrap()).unwrap();
                (e.a.weights().filter(|w| w.1 > cut).count(), e.b.weights().filter(|w| w.1 > cut).count())
            }
        );
    }
}
