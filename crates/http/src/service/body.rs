//! The body of a request, which its template reads while it arrives.

use dds::Arriving;

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
pub(crate) struct Receiver<'t> {
    pub(crate) arriving: Arriving<'t>,
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

impl Sink for Receiver<'_> {
    type Refusal = Full;

    fn take(&mut self, text: &[u8]) -> Result<(), Full> {
        let Granted { account, bytes } = &mut self.granted;
        if account.as_ref().is_some_and(|Account(account)| !account.take(text.len())) {
            return Err(Full::Busy);
        }
        *bytes += text.len();
        self.arriving.feed(text).map_err(|_| Full::TooLong)
    }
}
