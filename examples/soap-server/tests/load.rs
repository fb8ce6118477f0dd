//! Clients with valid requests, beside others that trickle their bodies and take no answers: all at once, against the program itself.
//!
//! A small form runs with the other tests. The full form prints rates, processor time and memory:
//! `make load`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "what a test cannot set up, it cannot test")]

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use soap_server::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

/// How many there are of each, how often they are measured without and with the others, and for how long.
struct Load {
    clients: usize,
    trickled: usize,
    stalled: usize,
    rounds: usize,
    phase: Duration,
}

/// Valid requests answered each second, and processor time that each process took meanwhile.
#[derive(Clone, Copy, Debug)]
struct Phase {
    rate: f64,
    /// Of the service, in microseconds for each valid request.
    work: f64,
    /// Of the service, the clients and the others, in seconds for each second.
    shares: [f64; 3],
}

/// What came of it.
#[derive(Debug)]
struct Outcome {
    /// The clients alone, and beside the others.
    undisturbed: Vec<Phase>,
    disturbed: Vec<Phase>,
    /// Valid requests with another answer than theirs, or none.
    failed: u64,
    /// Requests that had been sent before SIGTERM, and were not answered.
    lost: u64,
    /// Answered after SIGTERM.
    late: u64,
    peak_rss: usize,
    is_stopped: bool,
}

fn median(phases: &[Phase], figure: impl Fn(&Phase) -> f64) -> f64 {
    let mut figures: Vec<f64> = phases.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Processor time that a process took, in seconds.
fn processor_time(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name may have spaces in it. Linux counts in hundredths of a second here.
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let ticks = after_name.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap());
    ticks.sum::<f64>() / 100.0
}

/// The program, ended with the test whatever happens.
struct Program {
    child: Child,
    address: SocketAddr,
    /// Kept open, so that the program can print.
    _printed: BufReader<ChildStdout>,
}

impl Program {
    fn start(options: &[&str]) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_soap-server"));
        let mut child = command.arg("127.0.0.1:0").args(options).stdout(Stdio::piped()).spawn().unwrap();
        let mut printed = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        printed.read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap();
        Program { child, address: address.parse().unwrap(), _printed: printed }
    }

    fn peak_rss(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() << 10
    }

    fn terminate(&self) {
        let killed = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(killed.unwrap().success());
    }

    /// Whether it ends well, in time.
    fn ends(&mut self, time: Duration) -> bool {
        let began = Instant::now();
        while began.elapsed() < time {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection from an address of its own: many clients share few of them.
async fn connect(to: SocketAddr, client: usize) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::new(127, 0, 1 + (client / 50) as u8, 1), 0).into())?;
    let stream = socket.connect(to).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Doubles, one of which differs from request to request, and their sum.
fn request(client: usize, n: usize) -> (String, String) {
    let data: String = (0..100).map(|item| format!("<data>{item}.5</data>")).collect();
    let body = format!(
        "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body><sum xmlns='urn:example:search'>{data}\
         <data>{}</data></sum></e:Body></e:Envelope>",
        client * 1_000_000 + n
    );
    let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml; charset=utf-8\r\nUser-Agent: load\r\n\
                SOAPAction: \"urn:example:search#sum\"\r\nContent-Length:";
    let sum = (0..100).map(|item| f64::from(item) + 0.5).sum::<f64>() + (client * 1_000_000 + n) as f64;
    (format!("{head} {}\r\n\r\n{body}", body.len()), format!("sum>{sum}</"))
}

/// Reads one answer.
async fn answer(stream: &mut TcpStream) -> Result<String> {
    let mut read = Vec::new();
    loop {
        if stream.read_buf(&mut read).await? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let text = str::from_utf8(&read).map_err(Error::other)?;
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0_usize) {
            return Ok(text.to_owned());
        }
    }
}

#[derive(Debug, Default)]
struct Counts {
    answered: AtomicU64,
    failed: AtomicU64,
    lost: AtomicU64,
    late: AtomicU64,
    ends: AtomicBool,
    terminated: Mutex<Option<Instant>>,
}

/// Sends valid requests one after the other, until the service is gone.
async fn client(to: SocketAddr, number: usize, counts: Arc<Counts>) {
    let mut stream = None;
    for n in 0.. {
        if counts.ends.load(Ordering::Relaxed) {
            return;
        }
        let (request, sum) = request(number, n);
        let mut own = match stream.take() {
            Some(own) => own,
            None => match connect(to, number).await {
                Ok(own) => own,
                Err(_) => {
                    // After SIGTERM nobody is let in.
                    let is_over = counts.terminated.lock().unwrap().is_some();
                    counts.failed.fetch_add(u64::from(!is_over), Ordering::Relaxed);
                    sleep(Duration::from_millis(10)).await;
                    continue;
                }
            },
        };
        let exchanged = async {
            own.write_all(request.as_bytes()).await?;
            let sent = Instant::now();
            Ok::<_, Error>((sent, timeout(Duration::from_secs(30), answer(&mut own)).await?))
        };
        let exchanged = exchanged.await;
        let terminated = *counts.terminated.lock().unwrap();
        let (is_right, is_early) = match &exchanged {
            Ok((sent, Ok(answer))) => (answer.contains(&sum), terminated.is_none_or(|then| *sent < then)),
            Ok((sent, Err(_))) => (false, terminated.is_none_or(|then| *sent < then)),
            Err(_) => (false, terminated.is_none()),
        };
        let count = match (is_right, is_early, terminated) {
            (true, _, None) => &counts.answered,
            (true, _, Some(_)) => &counts.late,
            (false, true, None) => &counts.failed,
            (false, true, Some(_)) => &counts.lost,
            (false, false, _) => return,
        };
        count.fetch_add(1, Ordering::Relaxed);
        let closes =
            matches!(&exchanged, Ok((_, Ok(answer))) if answer.to_ascii_lowercase().contains("connection: close"));
        if is_right && !closes {
            stream = Some(own);
        }
    }
}

/// Sends the head of a request and a byte of its body now and then.
async fn trickle(to: SocketAddr, number: usize, pace: Duration) {
    loop {
        if let Ok(mut stream) = connect(to, number).await {
            let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nUser-Agent: load\r\n\
                        SOAPAction: \"urn:example:search#sum\"\r\nContent-Length: 1000000\r\n\r\n<";
            let mut sent = stream.write_all(head.as_bytes()).await;
            while sent.is_ok() {
                sleep(pace).await;
                sent = stream.write_all(b" ").await;
            }
        }
        sleep(pace).await;
    }
}

/// Asks for as many answers as can be asked for, and takes none.
async fn stall(to: SocketAddr, number: usize, pace: Duration) {
    loop {
        if let Ok(mut stream) = connect(to, number).await {
            let requests = "GET /?wsdl HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100);
            while stream.write_all(requests.as_bytes()).await.is_ok() {}
        }
        sleep(pace).await;
    }
}

/// The peers that hold connections, in a process of their own that ends with this.
struct Others(Child);

/// Has the address of the service and how many there are of each, where the process is that of the others.
const OTHERS: &str = "SOAP_SERVER_LOAD_OTHERS";

impl Others {
    fn start(to: SocketAddr, load: &Load) -> Others {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "peers_that_hold_connections", "--ignored"]);
        command.env(OTHERS, format!("{to} {} {} {}", load.clients, load.trickled, load.stalled));
        Others(command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The process of [`Others`]; a test as there is no other program in here.
#[test]
#[ignore = "the other tests start it; by itself it does nothing"]
fn peers_that_hold_connections() {
    let Ok(load) = std::env::var(OTHERS) else { return };
    let (to, numbers) = load.split_once(' ').unwrap();
    let to = to.parse().unwrap();
    let numbers: Vec<usize> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
    let &[first, trickled, stalled] = &numbers[..] else { panic!("{load}") };
    let pace = Duration::from_millis(250);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    (0..trickled).for_each(|n| drop(runtime.spawn(trickle(to, first + n, pace))));
    (0..stalled).for_each(|n| drop(runtime.spawn(stall(to, first + trickled + n, pace))));
    // It ends when its parent does, however that may be.
    let _ = std::io::stdin().read(&mut [0]);
}

/// Answers and processor time from now on, for a while.
async fn measured(length: Duration, counts: &Counts, processes: [Option<u32>; 3]) -> Phase {
    let times = || processes.map(|process| process.map_or(0.0, processor_time));
    let answered = || counts.answered.load(Ordering::Relaxed);
    let (began, before, times_before) = (Instant::now(), answered(), times());
    sleep(length).await;
    let (seconds, after, times_after) = (began.elapsed().as_secs_f64(), answered(), times());
    let shares = [0, 1, 2].map(|n| (times_after[n] - times_before[n]) / seconds);
    let rate = (after - before) as f64 / seconds;
    Phase { rate, work: shares[0] / rate * 1e6, shares }
}

fn run(load: &Load, options: &[&str]) -> Outcome {
    let mut program = Program::start(options);
    let (to, counts) = (program.address, Arc::new(Counts::default()));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let (service, own) = (Some(program.child.id()), Some(std::process::id()));
    runtime.block_on(async {
        // Connections are made, or end.
        let settle = load.phase / 4;
        let clients: Vec<_> = (0..load.clients).map(|n| tokio::spawn(client(to, n, counts.clone()))).collect();
        let (mut undisturbed, mut disturbed, mut others) = (Vec::new(), Vec::new(), None);
        for _ in 0..load.rounds {
            drop(others.take());
            sleep(settle).await;
            undisturbed.push(measured(load.phase, &counts, [service, own, None]).await);
            let process = others.insert(Others::start(to, load)).0.id();
            sleep(settle).await;
            disturbed.push(measured(load.phase, &counts, [service, own, Some(process)]).await);
        }
        let peak_rss = program.peak_rss();
        *counts.terminated.lock().unwrap() = Some(Instant::now());
        program.terminate();
        // The others hold their connections as long as the stop lets them.
        let is_stopped = tokio::task::block_in_place(|| program.ends(Duration::from_secs(60)));
        counts.ends.store(true, Ordering::Relaxed);
        for client in clients {
            let _ = timeout(Duration::from_secs(60), client).await;
        }
        let [failed, lost, late] =
            [&counts.failed, &counts.lost, &counts.late].map(|count| count.load(Ordering::Relaxed));
        Outcome { undisturbed, disturbed, failed, lost, late, peak_rss, is_stopped }
    })
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Counts alone, as other tests run beside it.
#[test]
fn valid_requests_are_answered_beside_those_that_hold_connections() {
    let load = Load { clients: 10, trickled: 50, stalled: 10, rounds: 1, phase: Duration::from_secs(1) };
    let options = ["--body-time", "1", "--answer-time", "1", "--stop-time", "10"];
    let outcome = run(&load, &options);
    assert!([&outcome.undisturbed, &outcome.disturbed].iter().all(|phases| phases[0].rate > 0.0), "{outcome:?}");
    assert_eq!((outcome.failed, outcome.lost), (0, 0), "{outcome:?}");
    assert!(outcome.is_stopped, "{outcome:?}");
    assert!(outcome.peak_rss < Limits::default().memory(processors()), "{outcome:?}");
}

/// Issue 30: 200 clients, 500 trickled bodies and 100 stalled readers.
#[test]
#[ignore = "a minute and a half, of a machine that does nothing else: make load"]
fn two_hundred_clients_beside_six_hundred_that_hold_connections() {
    // A phase is as long as one of the others is let be.
    let load = Load { clients: 200, trickled: 500, stalled: 100, rounds: 7, phase: Duration::from_secs(5) };
    let options = ["--body-time", "5", "--answer-time", "5", "--stop-time", "20"];
    let outcome = run(&load, &options);
    let Outcome { undisturbed, disturbed, failed, lost, late, peak_rss, .. } = &outcome;
    println!("{:30} undisturbed  disturbed  ratio", "");
    let row = |name: &str, figure: fn(&Phase) -> f64| {
        let (alone, beside) = (median(undisturbed, figure), median(disturbed, figure));
        println!("{name:30} {alone:11.2} {beside:10.2} {:6.2}", beside / alone);
        beside / alone
    };
    let ratio = row("requests/s", |phase| phase.rate);
    row("µs of the service a request", |phase| phase.work);
    row("processors of the service", |phase| phase.shares[0]);
    row("processors of the clients", |phase| phase.shares[1]);
    row("processors of the others", |phase| phase.shares[2]);
    let bound = Limits::default().memory(processors());
    println!("failed    {failed}");
    println!("lost      {lost} ({late} answered after SIGTERM)");
    println!("peak RSS  {:.1} MiB of at most {} MiB", *peak_rss as f64 / f64::from(1 << 20), bound >> 20);
    assert!(ratio >= 0.8, "{outcome:?}");
    assert!(*failed == 0 && *lost == 0 && outcome.is_stopped && *peak_rss < bound, "{outcome:?}");
}
