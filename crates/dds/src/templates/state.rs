//! What a template keeps of the last message, and of the one that is arriving.

use crate::differential;
use crate::markup::scope::Scope;
use crate::regular;
use crate::soap::envelope::Message;
use crate::soap::head::Head;
use crate::templates::balance::Balance;
use crate::trace::Trace;

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) message: Message,
    /// Where everything was, unless the message was read by way of a tree.
    pub(crate) places: Option<(Head, Scope, Trace)>,
    /// Bytes the message had.
    pub(crate) len: usize,
    /// Message portions in it, if it was read by the one before.
    pub(crate) portions: Option<u64>,
    /// The hash of its bytes, if they are not kept and there are no places.
    pub(crate) hashes: Vec<u64>,
}

impl State {
    pub(crate) fn new(message: Message, places: Option<(Head, Scope, Trace)>) -> State {
        State { message, places, len: 0, portions: None, hashes: Vec::new() }
    }
}

/// What has become of the message that is arriving.
#[derive(Debug, Default)]
pub(crate) struct Arrival {
    pub(crate) way: Way,
    /// Reading goes on when so many bytes have arrived.
    pub(crate) wanted: usize,
    /// What it has changed in the message before, from which it turned out to be too different.
    pub(crate) changed: Option<Box<differential::Progress>>,
    /// What trying might cost before it came; `None` where no try is made, and nothing of the message before is kept.
    pub(crate) balance: Option<Balance>,
}

/// How the message is being read.
#[derive(Debug, Default)]
pub(crate) enum Way {
    /// Not yet.
    #[default]
    Unknown,
    /// By the one before it. `None`: its beginning has not arrived.
    Differential(Option<Box<differential::Progress>>),
    /// By itself. `None`: its beginning has not arrived.
    Regular(Option<Box<regular::Progress>>),
    /// By way of a tree, when all of it is there.
    Plain,
}
