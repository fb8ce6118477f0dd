//! The body of a request, which arrives in pieces.

use crate::service::Account;
use crate::{Package, Sink};

/// Why a message is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// There is no room for it now.
    Busy,
    /// It is longer than a message may be.
    TooLong,
}

/// A message that is arriving, with its parts, and the memory that it has been granted.
pub(crate) struct Receiver {
    pub(crate) package: Package,
    /// Bytes that it may have.
    pub(crate) most: usize,
    pub(crate) granted: Granted,
}

/// Memory that has been granted, until this is dropped.
pub(crate) struct Granted {
    account: Option<Account>,
    pub(crate) bytes: usize,
}

impl Granted {
    pub(crate) fn none(account: Option<Account>) -> Granted {
        Granted { account, bytes: 0 }
    }
}

impl Drop for Granted {
    fn drop(&mut self) {
        if let Some(Account(account)) = &self.account {
            account.give_back(self.bytes);
        }
    }
}

impl Sink for Receiver {
    type Refusal = Full;

    fn take(&mut self, text: &[u8]) -> Result<(), Full> {
        self.grant(text.len())?;
        let Ok(()) = self.package.take(text);
        Ok(())
    }

    fn begin_part(&mut self, id: &str) -> Result<(), Full> {
        self.grant(id.len() + PART)?;
        let Ok(()) = Sink::begin_part(&mut self.package, id);
        Ok(())
    }

    fn take_part(&mut self, octets: &[u8]) -> Result<(), Full> {
        self.grant(octets.len())?;
        let Ok(()) = self.package.take_part(octets);
        Ok(())
    }
}

/// Bytes that a part takes beside its own.
const PART: usize = 128;

impl Receiver {
    /// Asks for memory.
    fn grant(&mut self, more: usize) -> Result<(), Full> {
        let Granted { account, bytes } = &mut self.granted;
        if *bytes + more > self.most {
            return Err(Full::TooLong);
        }
        if account.as_ref().is_some_and(|Account(account)| !account.take(more)) {
            return Err(Full::Busy);
        }
        *bytes += more;
        Ok(())
    }
}
