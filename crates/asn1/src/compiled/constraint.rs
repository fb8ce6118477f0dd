//! Constraints as sets of numbers: values, sizes, code points (X.680 clauses 49 to 51, X.691
//! clause 10.3).

use foldhash::HashMap;
use tam::{Error, ErrorKind};

use super::interval::{End, Intervals};
use super::scope::{Definition, Scope};
use super::{fault, value};
use crate::integer::Number;
use crate::schema::{Bound, Constraint, Constraints, Element, Kind, NamedNumber, Position, Type, Value};

/// The domain for which a constraint is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Domain {
    /// Values of an INTEGER, or numbers within SIZE.
    Number,
    /// Sizes.
    Size,
    /// The characters of a string.
    Alphabet,
    /// Characters within FROM.
    Character,
}

/// What a constraint allows in one domain.
#[derive(Clone, Debug)]
pub(super) struct Set {
    /// The root as PER sees it: EXCEPT and what follows it are ignored.
    pub(super) visible: Intervals,
    /// The root.
    pub(super) root: Intervals,
    /// Whether `root` is the complete meaning of the constraint, without parts of another domain.
    exact: bool,
    /// Whether the constraint affects the domain.
    pub(super) seen: bool,
    /// Whether it has an extension marker.
    pub(super) extensible: bool,
}

impl Set {
    fn of(root: Intervals) -> Set {
        Set { visible: root.clone(), root, exact: true, seen: true, extensible: false }
    }

    /// The number of intervals to process.
    fn len(&self) -> usize {
        self.root.as_slice().len() + self.visible.as_slice().len()
    }

    /// The domain is unconstrained.
    fn unseen() -> Set {
        Set { exact: false, seen: false, ..Set::of(Intervals::ALL) }
    }

    fn with(self, other: &Set, combine: fn(&Intervals, &Intervals) -> Intervals) -> Set {
        Set {
            visible: combine(&self.visible, &other.visible),
            root: combine(&self.root, &other.root),
            exact: self.exact && other.exact,
            seen: self.seen || other.seen,
            extensible: self.extensible || other.extensible,
        }
    }
}

/// Reduces constraints; those of a contained type only once.
pub(super) struct Reducer<'r, 's> {
    pub(super) scope: &'r Scope<'s>,
    /// The sets of contained types, by their definition, or by their position in the notation.
    contained: HashMap<(Key, Domain), Set>,
    /// The results of long constraints, by their position in the notation.
    long: HashMap<(usize, Domain), Set>,
    /// The number of intervals in both.
    kept: usize,
    may_keep: usize,
    work: usize,
    may_work: usize,
}

/// The identity of a contained type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Definition(Definition),
    Place(usize),
}

/// The most intervals processed for all constraints of a schema, if the limit `units` is large.
const WORK: usize = 1 << 27;

/// The same for each of these units.
const WORK_OF_UNIT: usize = 32;

/// The result of a constraint with this many intervals or more is kept for other types with the same constraint.
const KEPT: usize = 16;

/// The most intervals that are kept for all constraints together. The others are computed again, because short notation
/// may expand to many long results.
const KEPT_OF_ALL: usize = 1 << 22;

/// The most levels of nested constraints and contained types, because reducing them recurses.
const NESTED: u32 = 64;

/// The context of a constraint.
#[derive(Clone, Copy)]
struct Context<'s> {
    module: usize,
    domain: Domain,
    /// The named numbers of the type constrained, and their module.
    names: Option<(usize, &'s [NamedNumber])>,
    position: Position,
    depth: u32,
}

impl<'r, 's> Reducer<'r, 's> {
    /// `units` is the limit with that name.
    pub(super) fn new(scope: &'r Scope<'s>, units: usize) -> Reducer<'r, 's> {
        Reducer {
            scope,
            contained: HashMap::default(),
            long: HashMap::default(),
            kept: 0,
            may_keep: units.min(KEPT_OF_ALL),
            work: 0,
            may_work: units.saturating_mul(WORK_OF_UNIT).min(WORK),
        }
    }

    /// The values that a type's constraints, applied in order, leave in a domain.
    pub(super) fn reduce(
        &mut self,
        constraints: &[(usize, &'s Constraint)],
        domain: Domain,
        names: Option<(usize, &'s [NamedNumber])>,
    ) -> Result<Set, Error> {
        self.serial(constraints, domain, names, 0)
    }

    fn serial(
        &mut self,
        constraints: &[(usize, &'s Constraint)],
        domain: Domain,
        names: Option<(usize, &'s [NamedNumber])>,
        depth: u32,
    ) -> Result<Set, Error> {
        let mut all = Set::unseen();
        for (module, constraint) in constraints {
            let context = Context { module: *module, domain, names, position: constraint.position, depth };
            let key = (std::ptr::from_ref(*constraint).addr(), domain);
            let set = match self.long.get(&key) {
                Some(set) => set.clone(),
                None => self.constraint(context, constraint)?,
            };
            self.spend(context, all.len() + set.len())?;
            if set.len() > KEPT && !self.long.contains_key(&key) && self.may_keep(&set) {
                self.long.insert(key, set.clone());
            }
            // A constraint applied to an extensible type takes values of its root only, and only its own marker counts
            // (X.680 clause 50.8).
            let extensible = set.extensible;
            all = all.with(&set, Intervals::intersection);
            all.extensible = extensible;
        }
        Ok(all)
    }

    fn constraint(&mut self, context: Context<'s>, constraint: &'s Constraint) -> Result<Set, Error> {
        if context.depth > NESTED {
            let found = format!("constraints within each other more than {NESTED} deep");
            return Err(self.fault(context, found, "a type that is not constrained by itself"));
        }
        let mut set = self.constraints(Context { depth: context.depth + 1, ..context }, &constraint.root)?;
        set.extensible |= constraint.additions.is_some() && set.seen;
        // An extensible alphabet is not visible to PER (X.691 clause 10.3.12).
        Ok(if set.extensible && context.domain == Domain::Alphabet { Set::unseen() } else { set })
    }

    fn constraints(&mut self, context: Context<'s>, constraints: &'s Constraints) -> Result<Set, Error> {
        let (sets, combine): (_, fn(&Intervals, &Intervals) -> Intervals) = match constraints {
            Constraints::Element(element) => return self.element(context, element),
            Constraints::Union(sets) => (sets, Intervals::union),
            Constraints::Intersection(sets) => (sets, Intervals::intersection),
            Constraints::Except(all, but) => {
                let (all, but) = (self.constraints(context, all)?, self.constraints(context, but)?);
                return Ok(all.except(&but));
            }
            Constraints::AllExcept(but) => {
                let but = self.constraints(context, but)?;
                let all = Set { seen: but.seen, exact: true, ..Set::of(Intervals::ALL) };
                return Ok(all.except(&but));
            }
        };
        // Combined pairwise, in a balanced way, so that thousands of values are not processed thousands of times; and
        // as they come, so that thousands of long sets are not held at once.
        let mut parts: Vec<(u32, Set)> = Vec::new();
        for one in sets {
            let (mut combined, mut set) = (0, self.constraints(context, one)?);
            while let Some((_, before)) = parts.pop_if(|(as_often, _)| *as_often == combined) {
                self.spend(context, before.len() + set.len())?;
                (combined, set) = (combined + 1, before.with(&set, combine));
            }
            parts.push((combined, set));
        }
        let Some((_, mut all)) = parts.pop() else { return Ok(Set::unseen()) };
        while let Some((_, before)) = parts.pop() {
            self.spend(context, before.len() + all.len())?;
            all = before.with(&all, combine);
        }
        Ok(all)
    }

    fn element(&mut self, context: Context<'s>, element: &'s Element) -> Result<Set, Error> {
        Ok(match (element, context.domain) {
            (Element::Group(constraint), _) => self.constraint(context, constraint)?,
            (Element::Single(value), Domain::Number) => {
                let number = End::At(self.number(context, value)?);
                Set::of(Intervals::range(number.clone(), number))
            }
            (Element::Range(lower, upper), Domain::Number) => {
                let lower = self.bound(context, lower, End::Min, 1)?;
                let upper = self.bound(context, upper, End::Max, -1)?;
                Set::of(Intervals::range(lower, upper))
            }
            (Element::Single(value), Domain::Character) => {
                let text = self.text(context, value)?;
                Set::of(Intervals::of(text.chars().map(|point| u32::from(point).into())))
            }
            (Element::Range(lower, upper), Domain::Character) => {
                let lower = self.point(context, lower, End::Min, 1)?;
                let upper = self.point(context, upper, End::Max, -1)?;
                Set::of(Intervals::range(lower, upper))
            }
            (Element::Size(size), Domain::Size) => {
                let inner = Context { domain: Domain::Number, names: None, ..context };
                let set = self.constraint(inner, size)?;
                if let Some((End::At(lower), _)) = set.root.bounds()
                    && *lower < 0.into()
                {
                    let found = format!("the size {lower}");
                    return Err(self.fault(context, found, "sizes from 0 (X.680 clause 51.5)"));
                }
                set.with(&Set::of(Intervals::range(0, End::Max)), Intervals::intersection)
            }
            (Element::Alphabet(alphabet), Domain::Alphabet | Domain::Character) => {
                let set = self.constraint(Context { domain: Domain::Character, ..context }, alphabet)?;
                if set.extensible { Set::unseen() } else { set }
            }
            (Element::Contained(ty), domain) => self.contained(context, ty, domain)?,
            _ => Set::unseen(),
        })
    }

    /// The values that the constraints of a contained type leave.
    fn contained(&mut self, context: Context<'s>, ty: &'s Type, domain: Domain) -> Result<Set, Error> {
        let key = match self.scope.mere_name(context.module, ty)? {
            Some(definition) => Key::Definition(definition),
            None => Key::Place(std::ptr::from_ref(ty).addr()),
        };
        if let Some(set) = self.contained.get(&(key, domain)) {
            return Ok(set.clone());
        }
        let followed = self.scope.follow(context.module, ty)?;
        // Within FROM the characters of a string type count.
        let inner = if domain == Domain::Character { Domain::Alphabet } else { domain };
        let names = match followed.kind {
            Kind::Integer(names) => Some((followed.module, &names[..])),
            _ => None,
        };
        let mut set = self.serial(&followed.constraints, inner, names, context.depth + 1)?;
        (set.extensible, set.seen, set.exact) = (false, true, set.exact || !set.seen);
        if self.may_keep(&set) {
            self.contained.insert((key, domain), set.clone());
        }
        Ok(set)
    }

    /// Whether one more set may be kept. If so, counts it.
    fn may_keep(&mut self, set: &Set) -> bool {
        let kept = self.kept + set.len();
        let may = kept <= self.may_keep;
        if may {
            self.kept = kept;
        }
        may
    }

    /// Counts intervals that are processed.
    fn spend(&mut self, context: Context<'s>, intervals: usize) -> Result<(), Error> {
        self.work += intervals;
        if self.work > self.may_work {
            let (path, expected) = (self.scope.module_name(context.module), "shorter constraints, or fewer of them");
            return Err(fault(
                ErrorKind::Limit,
                context.position,
                path,
                "more work than constraints may take",
                expected,
            ));
        }
        Ok(())
    }

    fn number(&self, context: Context<'s>, value: &'s Value) -> Result<Number, Error> {
        match value::number(self.scope, context.module, context.names, value, context.position) {
            Ok(Some(number)) => Ok(number),
            Ok(None) => Err(self.fault(context, "another value", "an integer")),
            Err(error) => Err(error),
        }
    }

    fn bound(&self, context: Context<'s>, bound: &'s Bound, end: End, inward: i64) -> Result<End, Error> {
        Ok(match bound {
            Bound::Min | Bound::Max => end,
            Bound::Inclusive(value) => End::At(self.number(context, value)?),
            Bound::Exclusive(value) => End::At(self.number(context, value)?.plus(inward)),
        })
    }

    fn text(&self, context: Context<'s>, value: &'s Value) -> Result<String, Error> {
        match value::text(self.scope, context.module, value, context.position)? {
            Some(text) => Ok(text),
            None => Err(self.fault(context, "another value", "a character string")),
        }
    }

    fn point(&self, context: Context<'s>, bound: &'s Bound, end: End, inward: i64) -> Result<End, Error> {
        let one = |value| {
            let text = self.text(context, value)?;
            let mut points = text.chars();
            match (points.next(), points.next()) {
                (Some(point), None) => Ok(i64::from(u32::from(point))),
                _ => Err(self.fault(context, "several characters or none", "one character at each end of a range")),
            }
        };
        Ok(match bound {
            Bound::Min | Bound::Max => end,
            Bound::Inclusive(value) => one(value)?.into(),
            Bound::Exclusive(value) => (one(value)? + inward).into(),
        })
    }

    #[cold]
    fn fault(&self, context: Context<'s>, found: impl Into<tam::Words>, expected: &'static str) -> Error {
        fault(ErrorKind::Schema, context.position, self.scope.module_name(context.module), found, expected)
    }
}

impl Set {
    fn except(self, but: &Set) -> Set {
        // Only a set that is known exactly can be subtracted.
        let root = if but.exact { self.root.except(&but.root) } else { self.root };
        Set { root, exact: self.exact && but.exact, ..self }
    }
}
