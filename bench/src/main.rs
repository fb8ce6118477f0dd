//! Lengthwise measured beside its peers. README.md says how to run it and what is measured.

mod counts;
mod ffi;
mod timing;
mod xml_peers;

fn main() {
    let dir = std::env::args().skip_while(|a| a != "--corpus").nth(1).expect("--corpus DIR");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "xml")).collect();
    files.sort_by_key(|f| f.metadata().unwrap().len());
    for file in files {
        let xml = std::fs::read(&file).unwrap();
        let text = std::str::from_utf8(&xml).unwrap();
        let peers = vec![xml_peers::expat(&xml), xml_peers::pugixml(&xml, true), xml_peers::quick_xml(text), xml_peers::roxmltree(text), xml_peers::uppsala_events(text), xml_peers::uppsala_dom(text)];
        let units = peers[0].found.as_ref().unwrap().counts.units() as f64;
        println!("{} {} bytes {} units", file.file_name().unwrap().to_string_lossy(), xml.len(), units);
        for p in &peers { println!("   {} {:?}", p.contestant.name, p.found.as_ref().map(|f| f.counts)); }
        let mut cs: Vec<_> = peers.into_iter().map(|p| p.contestant).collect();
        let ns = timing::race(&mut cs, 11);
        for (c, ns) in cs.iter().zip(ns) { println!("   {:18} {:>12.0} ns {:>7.2} ns/unit", c.name, ns, ns / units); }
    }
}
