fn main() {
    let n: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let t: usize = std::env::args().nth(2).map_or(1, |t| t.parse().unwrap());
    let s = pencil_tennis::Solver::new(pencil_tennis::Rules::tennis()).points(n, n).threads(t).solve().unwrap();
    println!("{:?} widest {:e} randomised {}", s.seconds(), s.widest_enclosure(), s.randomised_states());
    for st in ["50:50@-1", "50:50@-2", "4:3@-2", "7:8@1"] {
        if let Ok(v) = s.value(st.parse().unwrap()) {
            println!("{st} {v}");
        }
    }
}
