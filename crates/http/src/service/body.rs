//! The body of a request, which arrives in pieces.

use crate::Sink;
use crate::service::Account;

/// Why a message is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// There is no room for it now.
    Busy,
    /// It is longer than a message may be.
    TooLong,
}

/// A message that is arriving, and the memory that it has been granted.
pub(crate) struct Receiver {
    pub(crate) text: Vec<u8>,
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
        if self.text.len() + text.len() > self.most {
            return Err(Full::TooLong);
        }
        let Granted { account, bytes } = &mut self.granted;
        if account.as_ref().is_some_and(|Account(account)| !account.take(text.len())) {
            return Err(Full::Busy);
        }
        *bytes += text.len();
        self.text.extend_from_slice(text);
        Ok(())
    }
}
