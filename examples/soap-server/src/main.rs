//! Runs the service: `soap-server [ADDRESS] [--LIMIT VALUE]…`, by default at `127.0.0.1:8080`.

use std::io::{Write, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use soap_server::{Limits, Server};
use tokio::net::{TcpListener, TcpSocket, lookup_host};
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let (address, limits) = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match run(&address, limits) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("warning: stopped before all requests had been answered");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {address}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The address, and limits: `--message-bytes 1M`, `--patience 2.5`.
fn arguments(mut arguments: impl Iterator<Item = String>) -> Result<(String, Limits), String> {
    let (mut address, mut limits) = ("127.0.0.1:8080".to_owned(), Limits::default());
    while let Some(argument) = arguments.next() {
        let Some(name) = argument.strip_prefix("--") else {
            address = argument;
            continue;
        };
        let value = arguments.next().ok_or_else(|| format!("--{name} needs a value"))?;
        let bytes =
            || size(&value).ok_or_else(|| format!("--{name}: '{value}' is not a number such as 1000, 64K or 16M"));
        let time = || {
            let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            seconds.ok_or_else(|| format!("--{name}: '{value}' is not a number of seconds"))
        };
        match name {
            "message-bytes" => limits.message_bytes = bytes()?.try_into().map_err(|_| "--message-bytes: below 4G")?,
            "connections" => limits.connections = bytes()?,
            "peer-connections" => limits.peer_connections = bytes()?,
            "bodies" => limits.bodies = bytes()?,
            "peer-bodies" => limits.peer_bodies = bytes()?,
            "templates" => limits.templates = bytes()?,
            "patience" => limits.patience = time()?,
            "body-time" => limits.body_time = time()?,
            "answer-time" => limits.answer_time = time()?,
            "stop-time" => limits.stop_time = time()?,
            _ => return Err(format!("there is no limit --{name}")),
        }
    }
    Ok((address, limits))
}

/// A number, with K, M or G for 2^10, 2^20 or 2^30.
fn size(value: &str) -> Option<usize> {
    let (digits, factor) = match value.char_indices().last()? {
        (at, 'K') => (&value[..at], 1 << 10),
        (at, 'M') => (&value[..at], 1 << 20),
        (at, 'G') => (&value[..at], 1 << 30),
        _ => (value, 1),
    };
    digits.parse::<usize>().ok()?.checked_mul(factor)
}

/// Bytes that the system holds of answers that a client does not take.
const UNTAKEN: u32 = 64 << 10;

async fn listen(address: &str) -> std::io::Result<TcpListener> {
    let address = lookup_host(address).await?.next().ok_or(std::io::ErrorKind::AddrNotAvailable)?;
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(cfg!(unix))?;
    // Connections have what their listener has.
    socket.set_send_buffer_size(UNTAKEN)?;
    socket.bind(address)?;
    socket.listen(1024)
}

/// Waits for SIGTERM or SIGINT.
#[cfg(unix)]
fn stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
fn stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

fn run(address: &str, limits: Limits) -> Result<bool, Box<dyn std::error::Error>> {
    let server = Arc::new(Server::new(limits)?);
    Runtime::new()?.block_on(async {
        let listener = listen(address).await?;
        let address = listener.local_addr()?;
        let stop = stop()?;
        // What cannot be printed is an error, not a panic.
        writeln!(stdout(), "http://{address}/ is the service, http://{address}/?wsdl its description")?;
        let is_done = server.clone().serve(listener, stop).await;
        let stats = server.stats();
        writeln!(
            stdout(),
            "{} messages, {} of them read whole, {} refused; {} of {} bytes skipped",
            stats.messages,
            stats.regular,
            stats.errors,
            stats.bytes_skipped,
            stats.bytes
        )?;
        Ok(is_done)
    })
}
