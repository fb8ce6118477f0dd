//! Runs the service: `soap-server [ADDRESS]`, by default `127.0.0.1:8080`.

use std::process::ExitCode;
use std::sync::Arc;

use soap_server::{Limits, Server};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned());
    match run(&address) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {address}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(address: &str) -> Result<(), Box<dyn std::error::Error>> {
    let server = Arc::new(Server::new(Limits::default())?);
    Runtime::new()?.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        println!("http://{address}/ is the service, http://{address}/?wsdl its description");
        tokio::spawn(server.clone().serve(listener));
        tokio::signal::ctrl_c().await?;
        let stats = server.stats();
        println!(
            "{} messages, {} of them read whole; {} of {} bytes skipped",
            stats.messages, stats.regular, stats.bytes_skipped, stats.bytes
        );
        Ok(())
    })
}
