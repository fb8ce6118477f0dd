//! TIME and the types derived from it: what their constraints allow, and how PER encodes them (X.680 clause 38, X.691
//! clauses 10.3 and 32.1).
//!
//! PER sees the settings of properties and ignores everything else, including EXCEPT and what follows it. What it sees
//! are alternatives of [`Settings`].

use tam::{Error, ErrorKind};

use super::constraint::{Domain, Reducer};
use super::interval::Intervals;
use super::scope::Followed;
use super::{fault, value};
use crate::iso8601::{self, Plain, PlainKind, Settings, Time};
use crate::per::TimeLayout;
use crate::schema::{Bound, Constraint, Constraints, Element, Position, Presence, StringKind};

/// A type of time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimeType {
    allowed: Allowed,
    /// How PER encodes its values.
    pub(crate) layout: TimeLayout,
    /// The kinds of plain times whose times are all allowed, one bit each.
    plain: u8,
    /// What its settings say of all values.
    pub(super) form: Option<PointForm>,
}

/// What all values of a type of time have: they are days, times of a day, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PointForm {
    /// Whether they have a date: year, month and day.
    pub has_date: bool,
    /// Whether they have a time of day.
    pub has_clock: bool,
    /// Whether they have a time zone; `None` if some may have one.
    pub has_zone: Option<bool>,
}

impl PointForm {
    /// The form of types that are neither constrained by settings nor a TIME.
    pub(super) fn of_characters(kind: StringKind) -> Option<PointForm> {
        let has_zone = match kind {
            StringKind::GeneralizedTime => None,
            StringKind::UtcTime => Some(true),
            _ => return None,
        };
        Some(PointForm { has_date: true, has_clock: true, has_zone })
    }

    /// What alternatives of settings have in common.
    fn of_settings(alternatives: &[Settings]) -> Option<PointForm> {
        let form = |settings: &Settings| {
            let (has_date, has_clock) = match (settings.basic?, settings.date) {
                (Settings::DATE, Some(Settings::YMD)) => (true, false),
                (Settings::CLOCK, _) => (false, true),
                (Settings::BOTH, Some(Settings::YMD)) => (true, true),
                _ => return None,
            };
            let has_zone = settings.zone.map(|zone| zone != Settings::LOCAL).or((!has_clock).then_some(false));
            Some(PointForm { has_date, has_clock, has_zone })
        };
        let (first, rest) = alternatives.split_first()?;
        rest.iter().try_fold(form(first)?, |all, settings| {
            let one = form(settings)?;
            let has_zone = all.has_zone.filter(|_| all.has_zone == one.has_zone);
            ((all.has_date, all.has_clock) == (one.has_date, one.has_clock)).then_some(PointForm { has_zone, ..all })
        })
    }
}

impl TimeType {
    /// Parses a text, if it is a value of the type.
    ///
    /// # Errors
    /// A description of any other text.
    pub(crate) fn read(&self, text: &str) -> Result<Time, String> {
        match iso8601::read(text) {
            Ok(time) if self.allows(&time) => Ok(time),
            Ok(_) => Err(format!("{:?}", tam::excerpt(text))),
            Err(fault) => Err(format!("{:?}, {fault}", tam::excerpt(text))),
        }
    }

    /// The text of a value in the form of stores, if it differs.
    ///
    /// # Errors
    /// A description of a text that is not a value of the type.
    pub(crate) fn stored(&self, text: &str) -> Result<Option<String>, String> {
        if self.plain(text.as_bytes()).is_some() {
            return Ok(None);
        }
        let stored = self.read(text)?.text(false);
        Ok((stored != text).then_some(stored))
    }

    /// Whether a time is a value of the type.
    pub(crate) fn allows(&self, time: &Time) -> bool {
        self.allowed.has(time)
    }

    /// Parses a text as a plain time, if all of its kind are values of the type.
    #[inline]
    pub(crate) fn plain(&self, text: &[u8]) -> Option<Plain> {
        Plain::read(text).filter(|plain| self.allows_all(plain.kind))
    }

    /// Whether all plain times of a kind are values of the type.
    #[inline]
    pub(crate) fn allows_all(&self, kind: PlainKind) -> bool {
        self.plain >> kind as u8 & 1 != 0
    }
}

/// A set of times.
#[derive(Clone, Debug, PartialEq)]
enum Allowed {
    /// Not checked: all times.
    Any,
    Settings(Settings),
    Single(Box<Time>),
    /// From one to another.
    Range(Box<[Option<Time>; 2]>),
    /// Durations by their parts, and by digits and value of their fraction.
    Duration(Box<[PartConstraint; 9]>),
    Union(Vec<Allowed>),
    Intersection(Vec<Allowed>),
    Except(Box<Allowed>, Box<Allowed>),
    AllExcept(Box<Allowed>),
}

/// What is allowed for a part of a duration.
#[derive(Clone, Debug, PartialEq)]
struct PartConstraint {
    /// Whether it must be present or absent.
    presence: Option<bool>,
    values: Option<Intervals>,
}

impl PartConstraint {
    const ANY: PartConstraint = PartConstraint { presence: None, values: None };

    fn has(&self, value: Option<u64>) -> bool {
        self.presence.is_none_or(|presence| presence == value.is_some())
            && match (value, &self.values) {
                (Some(value), Some(values)) => values.contains(value as i64),
                _ => true,
            }
    }
}

impl Allowed {
    // Recursion is safe, because the builder limits the depth of constraints.
    fn has(&self, time: &Time) -> bool {
        match self {
            Allowed::Any => true,
            Allowed::Settings(settings) => settings.hold(time),
            Allowed::Single(other) => *time == **other,
            Allowed::Range(ends) => {
                let [lower, upper] = &**ends;
                let ends = [(lower, std::cmp::Ordering::Less), (upper, std::cmp::Ordering::Greater)];
                ends.into_iter().all(|(end, beyond)| {
                    end.as_ref().is_none_or(|end| time.order(end).is_some_and(|order| order != beyond))
                })
            }
            Allowed::Duration(parts) => {
                let Some(duration) = time.as_duration() else { return false };
                let fraction = duration.fraction;
                let digits = fraction.map(|fraction| fraction.digits.into());
                let values = duration.parts.into_iter().chain([digits, fraction.map(|fraction| fraction.value)]);
                parts.iter().zip(values).all(|(part, value)| part.has(value))
            }
            Allowed::Union(all) => all.iter().any(|one| one.has(time)),
            Allowed::Intersection(all) => all.iter().all(|one| one.has(time)),
            Allowed::Except(all, but) => all.has(time) && !but.has(time),
            Allowed::AllExcept(but) => !but.has(time),
        }
    }

    /// Whether times of the same settings are treated alike.
    fn is_by_settings(&self) -> bool {
        match self {
            Allowed::Any | Allowed::Settings(_) | Allowed::Duration(_) => true,
            Allowed::Single(_) | Allowed::Range(_) => false,
            Allowed::Union(all) | Allowed::Intersection(all) => all.iter().all(Allowed::is_by_settings),
            Allowed::Except(all, but) => all.is_by_settings() && but.is_by_settings(),
            Allowed::AllExcept(but) => but.is_by_settings(),
        }
    }

    /// The kinds of plain times that are allowed completely, one bit each.
    fn plain(&self) -> u8 {
        if !self.is_by_settings() {
            return 0;
        }
        let allowed = PlainKind::ALL.into_iter().filter(|kind| self.has(&Plain::sample(*kind).into()));
        allowed.fold(0, |kinds, kind| kinds | 1 << kind as u8)
    }
}

/// The settings of the types with few forms (X.680 clause 38.4).
fn own_settings(kind: StringKind) -> Option<&'static str> {
    Some(match kind {
        StringKind::Date => "Basic=Date Date=YMD Year=Basic",
        StringKind::TimeOfDay => "Basic=Time Time=HMS Local-or-UTC=L",
        StringKind::DateTime => "Basic=Date-Time Date=YMD Year=Basic Time=HMS Local-or-UTC=L",
        StringKind::Duration => "Basic=Interval Interval-type=D",
        _ => return None,
    })
}

/// The most elements of constraints of times in a schema, and settings derived from them, in total.
const WORK: usize = 1 << 20;

/// The same for one type, because all may be checked for each value.
const TYPE_WORK: usize = 1 << 12;

/// The most levels of nested constraints and contained types.
const NESTED: u32 = 64;

/// Reduces the constraints of a type of time.
pub(super) struct Reduction<'b, 'r, 's> {
    pub(super) reducer: &'b mut Reducer<'r, 's>,
    /// The work done for the schema.
    pub(super) work: &'b mut usize,
    /// The path of the type, for errors.
    pub(super) path: &'b str,
    pub(super) own_work: usize,
}

/// A reduced constraint: what it allows, and what of it is visible to PER.
type Reduced = (Allowed, Vec<Settings>);

impl<'s> Reduction<'_, '_, 's> {
    /// Reduces a type of time.
    pub(super) fn time(mut self, followed: &Followed<'s>, kind: StringKind) -> Result<TimeType, Error> {
        let own = own_settings(kind).map(Settings::parse).transpose().unwrap_or_default();
        let (allowed, visible) = self.serial(own, &followed.constraints, 0)?;
        let Some(layout) = TimeLayout::of(&visible) else {
            let found = "settings that no time has together";
            return Err(fault(ErrorKind::Schema, followed.position, self.path, found, "settings of one time"));
        };
        Ok(TimeType { plain: allowed.plain(), form: PointForm::of_settings(&visible), allowed, layout })
    }

    /// Reduces constraints applied in order.
    fn serial(
        &mut self,
        own: Option<Settings>,
        constraints: &[(usize, &'s Constraint)],
        depth: u32,
    ) -> Result<Reduced, Error> {
        let mut all: Vec<Allowed> = own.clone().map(Allowed::Settings).into_iter().collect();
        let mut visible = vec![own.unwrap_or_default()];
        for (module, constraint) in constraints {
            let (allowed, seen) = self.constraint(*module, constraint, constraint.position, depth)?;
            if allowed != Allowed::Any {
                all.push(allowed);
            }
            visible = self.meet(&visible, &seen, constraint.position)?;
        }
        let allowed = match (all.pop(), all.is_empty()) {
            (None, _) => Allowed::Any,
            (Some(one), true) => one,
            (Some(last), false) => {
                all.push(last);
                Allowed::Intersection(all)
            }
        };
        Ok((allowed, visible))
    }

    fn constraint(
        &mut self,
        module: usize,
        constraint: &'s Constraint,
        position: Position,
        depth: u32,
    ) -> Result<Reduced, Error> {
        let position = if constraint.position.line > 0 { constraint.position } else { position };
        if constraint.additions.is_some() {
            return Err(self.unsupported(position, "an extensible constraint of a type of time"));
        }
        if depth > NESTED {
            let found = format!("constraints within each other more than {NESTED} deep");
            let expected = "a type that is not constrained by itself";
            return Err(fault(ErrorKind::Schema, position, self.path, found, expected));
        }
        self.constraints(module, &constraint.root, position, depth + 1)
    }

    fn constraints(
        &mut self,
        module: usize,
        constraints: &'s Constraints,
        position: Position,
        depth: u32,
    ) -> Result<Reduced, Error> {
        match constraints {
            Constraints::Element(element) => self.element(module, element, position, depth),
            Constraints::Union(sets) => {
                let (mut all, mut visible) = (Vec::new(), Vec::new());
                for set in sets {
                    let (allowed, seen) = self.constraints(module, set, position, depth)?;
                    all.push(allowed);
                    self.spend(seen.len(), position)?;
                    visible.extend(seen);
                }
                Ok((Allowed::Union(all), visible))
            }
            Constraints::Intersection(sets) => {
                let (mut all, mut visible) = (Vec::new(), vec![Settings::default()]);
                for set in sets {
                    let (allowed, seen) = self.constraints(module, set, position, depth)?;
                    all.push(allowed);
                    visible = self.meet(&visible, &seen, position)?;
                }
                Ok((Allowed::Intersection(all), visible))
            }
            Constraints::Except(all, but) => {
                let (all, visible) = self.constraints(module, all, position, depth)?;
                let (but, _) = self.constraints(module, but, position, depth)?;
                // An unchecked element excludes nothing.
                let except = match but {
                    Allowed::Any => all,
                    but => Allowed::Except(Box::new(all), Box::new(but)),
                };
                Ok((except, visible))
            }
            Constraints::AllExcept(but) => {
                let allowed = match self.constraints(module, but, position, depth)?.0 {
                    Allowed::Any => Allowed::Any,
                    but => Allowed::AllExcept(Box::new(but)),
                };
                Ok((allowed, vec![Settings::default()]))
            }
        }
    }

    fn element(
        &mut self,
        module: usize,
        element: &'s Element,
        position: Position,
        depth: u32,
    ) -> Result<Reduced, Error> {
        self.spend(1, position)?;
        let unseen = vec![Settings::default()];
        Ok(match element {
            Element::Group(constraint) => self.constraint(module, constraint, position, depth)?,
            Element::Table { .. } => (Allowed::Any, unseen),
            Element::Settings(text) => match Settings::parse(text) {
                Ok(settings) => (Allowed::Settings(settings.clone()), vec![settings]),
                Err(found) => {
                    let expected = "properties of TIME and their settings (X.680 clause 38.2)";
                    return Err(fault(ErrorKind::Schema, position, self.path, found, expected));
                }
            },
            Element::Contained(ty) => {
                let followed = self.reducer.scope.follow(module, ty)?;
                let crate::schema::Kind::String(kind) = followed.kind else {
                    let found = "a type that is none of time";
                    return Err(fault(ErrorKind::Schema, position, self.path, found, "a type of time"));
                };
                let own = own_settings(*kind).map(Settings::parse).transpose().unwrap_or_default();
                self.serial(own, &followed.constraints, depth + 1)?
            }
            Element::Single(value) => (Allowed::Single(Box::new(self.single(module, value, position)?)), unseen),
            Element::Range(lower, upper) => {
                let lower = self.bound(module, lower, position)?;
                let upper = self.bound(module, upper, position)?;
                if let (Some(lower), Some(upper)) = (&lower, &upper)
                    && lower.order(upper).is_none_or(std::cmp::Ordering::is_gt)
                {
                    let found = "a range whose end does not follow its start";
                    let expected = "two times of the same form, the lesser first";
                    return Err(fault(ErrorKind::Schema, position, self.path, found, expected));
                }
                (Allowed::Range(Box::new([lower, upper])), unseen)
            }
            Element::WithComponents { partial, components } => {
                (self.duration(module, *partial, components, position)?, unseen)
            }
            // Kept and not checked, as for any type.
            Element::Pattern(_) | Element::UserDefined(_) => (Allowed::Any, unseen),
            Element::Size(_) => return Err(self.unsupported(position, "SIZE of a type of time")),
            Element::Alphabet(_) => return Err(self.unsupported(position, "FROM of a type of time")),
            Element::WithComponent(_) => return Err(self.unsupported(position, "WITH COMPONENT of a type of time")),
            Element::Contents(..) => return Err(self.unsupported(position, "CONTAINING of a type of time")),
        })
    }

    fn single(&self, module: usize, value: &'s crate::schema::Value, position: Position) -> Result<Time, Error> {
        let text = value::text(self.reducer.scope, module, value, position)?;
        let time = match text.as_deref().map(iso8601::read) {
            Some(Ok(time)) => return Ok(time),
            Some(Err(fault)) => format!("{:?}, {fault}", text.unwrap_or_default()),
            None => "another value".to_owned(),
        };
        Err(fault(ErrorKind::Schema, position, self.path, time, "a time of ISO 8601 in quotes"))
    }

    fn bound(&self, module: usize, bound: &'s Bound, position: Position) -> Result<Option<Time>, Error> {
        let value = match bound {
            Bound::Min | Bound::Max => return Ok(None),
            Bound::Inclusive(value) => value,
            Bound::Exclusive(_) => return Err(self.unsupported(position, "a range of times without its end")),
        };
        let time = self.single(module, value, position)?;
        if time.order(&time).is_none() {
            return Err(self.unsupported(position, "a range of such times"));
        }
        Ok(Some(time))
    }

    /// `WITH COMPONENTS` of a duration (X.680 clause 38.4.4).
    fn duration(
        &mut self,
        module: usize,
        partial: bool,
        components: &'s [(String, Option<Constraint>, Option<Presence>)],
        position: Position,
    ) -> Result<Allowed, Error> {
        const NAMES: [&str; 9] =
            ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "fractional-part", ""];
        let absent = PartConstraint { presence: Some(false), values: None };
        let mut parts: [PartConstraint; 9] =
            std::array::from_fn(|_| if partial { PartConstraint::ANY } else { absent.clone() });
        if !partial {
            parts[8] = PartConstraint::ANY;
        }
        for (name, constraint, presence) in components {
            let Some(place) = NAMES.iter().take(8).position(|of| of == name) else {
                let found = format!("{name}, which is not a part of a duration");
                return Err(fault(
                    ErrorKind::Schema,
                    position,
                    self.path,
                    found,
                    "years to seconds or fractional-part",
                ));
            };
            let presence = match presence {
                Some(Presence::Present) => Some(true),
                Some(Presence::Absent) => Some(false),
                Some(Presence::Optional) => None,
                // A component listed without a constraint in a full list is present (X.680 clause 51.8).
                None => (!partial).then_some(true),
            };
            parts[place].presence = presence;
            let Some(constraint) = constraint else { continue };
            if place < 7 {
                parts[place].values = Some(self.numbers(module, constraint)?);
                continue;
            }
            let Constraints::Element(element) = &constraint.root else {
                return Err(self.unsupported(position, "such a constraint of fractional-part"));
            };
            let Element::WithComponents { components, .. } = &**element else {
                return Err(self.unsupported(position, "such a constraint of fractional-part"));
            };
            for (name, constraint, _) in components {
                let Some(place) = ["number-of-digits", "fractional-value"].iter().position(|of| of == name) else {
                    let found = format!("{name}, which is not a component of fractional-part");
                    let expected = "number-of-digits or fractional-value";
                    return Err(fault(ErrorKind::Schema, position, self.path, found, expected));
                };
                if let Some(constraint) = constraint {
                    parts[7 + place].values = Some(self.numbers(module, constraint)?);
                }
            }
        }
        Ok(Allowed::Duration(Box::new(parts)))
    }

    fn numbers(&mut self, module: usize, constraint: &'s Constraint) -> Result<Intervals, Error> {
        Ok(self.reducer.reduce(&[(module, constraint)], Domain::Number, None)?.root)
    }

    /// The settings that satisfy both of two lists of alternatives.
    fn meet(&mut self, one: &[Settings], other: &[Settings], position: Position) -> Result<Vec<Settings>, Error> {
        self.spend(one.len().saturating_mul(other.len()), position)?;
        let mut all: Vec<Settings> =
            one.iter().flat_map(|one| other.iter().filter_map(|other| one.meet(other))).collect();
        let mut seen = foldhash::HashSet::default();
        all.retain(|settings| seen.insert(settings.clone()));
        Ok(all)
    }

    /// Counts work.
    fn spend(&mut self, count: usize, position: Position) -> Result<(), Error> {
        *self.work = self.work.saturating_add(count);
        self.own_work = self.own_work.saturating_add(count);
        if *self.work > WORK || self.own_work > TYPE_WORK {
            let found = "more work than constraints of times may take";
            let expected = "shorter constraints, or fewer of them";
            return Err(fault(ErrorKind::Limit, position, self.path, found, expected));
        }
        Ok(())
    }

    #[cold]
    fn unsupported(&self, position: Position, found: &'static str) -> Error {
        let expected = "a constraint of times that is checked";
        fault(ErrorKind::Unsupported, position, self.path, found, expected)
    }
}
