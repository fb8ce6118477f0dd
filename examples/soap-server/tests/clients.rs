//! Clients that others wrote, made of the description alone: zeep, gSOAP and CXF.
#![allow(clippy::unwrap_used, clippy::panic, reason = "what a test cannot set up, it cannot test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use soap_server::Limits;
use support::{send, start};

/// Runs a program; what it printed, `None` if it is not there.
fn run(program: &str, arguments: &[&str], directory: &Path) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(directory).output().ok()?;
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {arguments:?}: {printed}{errors}");
    Some(printed.into_owned())
}

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

/// `make test` brings zeep, and says in `ZEEP_PYTHON` which Python has it.
#[test]
fn zeep_gets_equal_values_by_every_port() {
    let Some(python) = std::env::var_os("ZEEP_PYTHON").and_then(|python| python.into_string().ok()) else {
        return test_support::skipped("ZEEP_PYTHON names no Python that has zeep");
    };
    let has_zeep = Command::new(&python).args(["-c", "import zeep"]).output();
    if !has_zeep.is_ok_and(|output| output.status.success()) {
        return test_support::skipped(format!("{python} has no zeep"));
    }
    let (address, server) = start(Limits::default());
    let printed = run(&python, &["zeep_client.py", &format!("http://{address}/?wsdl")], &clients());
    assert_eq!(printed.as_deref(), Some("360 calls\n"));
    let stats = server.stats();
    assert!(stats.messages >= 360 && stats.regular < stats.messages && stats.errors == 0, "{stats:?}");
}

#[test]
fn gsoap_gets_equal_values_by_every_port() {
    let Some((flags, library)) = gsoap() else {
        return test_support::skipped("there is no gSOAP with its header and library (Debian: gsoap, libgsoap-dev)");
    };
    let here = std::env::temp_dir().join(format!("soap-server-gsoap-{}", std::process::id()));
    fs::create_dir_all(&here).unwrap();
    let (address, server) = start(Limits::default());
    let request = "GET /?wsdl HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    fs::write(here.join("search.wsdl"), send(address, &[request.as_bytes()]).body).unwrap();
    let client = clients().join("gsoap_client.c");
    let client = client.to_str().unwrap();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let mut steps = vec![("wsdl2h", vec!["-c", "-e", "-o", "search.h", "search.wsdl"])];
    let mut linked = library.as_str();
    if library.ends_with(".c") {
        steps.push(("gcc", [&["-w", "-c", "-o", "library.o", &library][..], &flags].concat()));
        linked = "library.o";
    }
    for (version, binary) in [("-1", "client1"), ("-2", "client2")] {
        steps.push(("soapcpp2", vec![version, "-c", "-C", "-L", "-w", "-x", "-I/usr/share/gsoap/import", "search.h"]));
        let sources = ["soapC.c", "soapClient.c", linked, "-lm"];
        steps.push(("gcc", [&["-w", "-I.", "-o", binary, client][..], &flags, &sources].concat()));
    }
    for (program, arguments) in steps {
        if run(program, &arguments, &here).is_none() {
            return test_support::skipped(format!("there is no {program}"));
        }
    }
    let ask = |version: &str| {
        let client = here.join(format!("client{version}"));
        run(client.to_str().unwrap(), &[&format!("http://{address}/"), version], &here).unwrap_or_default()
    };
    let printed = ask("1") + &ask("2");
    fs::remove_dir_all(&here).unwrap();
    assert_eq!(printed, "260 calls\n60 calls\n");
    let stats = server.stats();
    assert!(stats.messages >= 320 && stats.errors == 0, "{stats:?}");
    // The arrays are read by their differences, whatever becomes of the questions.
    assert!(stats.bytes_skipped > stats.bytes / 2, "{stats:?}");
}

/// CXF refuses descriptions with SOAP's encoding, so that it gets the literal ports alone.
#[test]
fn cxf_gets_equal_values_by_the_literal_ports() {
    let here = std::env::temp_dir().join(format!("soap-server-cxf-{}", std::process::id()));
    fs::create_dir_all(&here).unwrap();
    fs::copy(clients().join("cxf/pom.xml"), here.join("pom.xml")).unwrap();
    let goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";
    let maven = Command::new("mvn").args(["-q", "-B", goal, "-Dmdep.outputFile=path"]).current_dir(&here).output();
    if !maven.is_ok_and(|output| output.status.success()) || Command::new("javac").arg("-version").output().is_err() {
        fs::remove_dir_all(&here).unwrap();
        return test_support::skipped("there is no JDK, or no Maven that gets CXF");
    }
    let (address, server) = start(Limits::default());
    let request = format!("GET /?wsdl HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    let mut description = send(address, &[request.as_bytes()]).body;
    for (begin, end) in [
        ("<xsd:schema targetNamespace=\"urn:GoogleSearch\">", "</xsd:schema>"),
        ("<portType name=\"Encoded\">", "</portType>"),
        ("<binding name=\"EncodedBinding\"", "</binding>"),
        ("<port name=\"EncodedPort\"", "</port>"),
    ] {
        let start = description.find(begin).unwrap();
        let len = description[start..].find(end).unwrap() + end.len();
        description.replace_range(start..start + len, "");
    }
    fs::write(here.join("literal.wsdl"), description).unwrap();
    let path = fs::read_to_string(here.join("path")).unwrap();
    let client = clients().join("cxf/SoapClient.java");
    let printed = run("java", &["-cp", &path, client.to_str().unwrap(), "literal.wsdl"], &here);
    fs::remove_dir_all(&here).unwrap();
    assert_eq!(printed.as_deref(), Some("416 calls\n"));
    let stats = server.stats();
    assert_eq!((stats.messages, stats.errors), (416, 0));
    // The sums grow by a double with each call, and the template follows the longer ones; by MTOM they begin anew.
    assert!(stats.bytes_skipped > stats.bytes / 2, "{stats:?}");
}

/// The compiler flags for gSOAP's header and library: in the system, or as source from `bench/setup.sh`.
fn gsoap() -> Option<(Vec<String>, String)> {
    if let Ok(output) = Command::new("pkg-config").args(["--cflags", "gsoap"]).output()
        && output.status.success()
    {
        let flags = String::from_utf8_lossy(&output.stdout);
        return Some((flags.split_whitespace().map(str::to_owned).collect(), "-lgsoap".to_owned()));
    }
    let vendor = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/vendor/gsoap");
    let source = vendor.join("stdsoap2.c");
    source.exists().then(|| (vec![format!("-I{}", vendor.display())], source.display().to_string()))
}
