//! Arenas: components stored by number.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The number of a component in its [`Arena`].
pub trait Id: Copy {
    /// The id for an index in the arena.
    fn new(index: usize) -> Self;
    /// The index in the arena.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl Id for $name {
            fn new(index: usize) -> $name {
                $name(index as u32)
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A schema document.
    DocumentId;
    /// An element declaration.
    ElementId;
    /// An attribute declaration.
    AttributeId;
    /// A complex type definition.
    ComplexId;
    /// A simple type definition.
    SimpleId;
    /// A model group.
    GroupId;
    /// A model group definition (`xs:group` with a name).
    NamedGroupId;
    /// A particle.
    ParticleId;
    /// A wildcard.
    WildcardId;
    /// An attribute group definition.
    AttributeGroupId;
    /// An identity-constraint definition.
    IdentityId;
    /// A notation declaration.
    NotationId;
}

/// Components of one kind, by their ids, in the order in which they were read.
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Arena<I, T> {
        Arena { items: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> Arena<I, T> {
    /// Adds a component and returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// The number of components.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it has no components.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All components with their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(n, item)| (I::new(n), item))
    }

    /// All ids. The iterator does not borrow the arena.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::new)
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}
