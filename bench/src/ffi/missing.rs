//! Where the library of `peers/rust` is missing, there are no such peers.

use std::{convert::Infallible, marker::PhantomData};

use crate::timing::Contestant;

pub(crate) struct TypedPeer<'a>(Infallible, PhantomData<&'a [u8]>);

impl<'a> TypedPeer<'a> {
    pub(crate) fn new(_: &str, _: &str, _: &'a [u8]) -> Option<TypedPeer<'a>> {
        None
    }

    pub(crate) fn size(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn agrees(&self, _: &str) -> bool {
        match self.0 {}
    }

    pub(crate) fn parsing(&self, _: &str) -> Contestant<'_> {
        match self.0 {}
    }

    pub(crate) fn generating(&self, _: &str) -> Contestant<'_> {
        match self.0 {}
    }
}

pub(crate) struct PerPeer(Infallible);

impl PerPeer {
    pub(crate) fn new(_: &str, _: &str, _: &str, _: &str) -> Option<PerPeer> {
        None
    }

    pub(crate) fn messages(&self) -> Vec<&[u8]> {
        match self.0 {}
    }

    pub(crate) fn decoding(&self, _: &str) -> Contestant<'_> {
        match self.0 {}
    }

    pub(crate) fn encoding(&self, _: &str) -> Contestant<'_> {
        match self.0 {}
    }
}
