//! TIME and the like (X.696 clause 29).

use tam::{Error, ErrorKind, Words};

use super::super::primitive::{ClockParts, DateParts, Times, Width};
use super::Reader;
use crate::compiled::{NodeId, TimeType};
use crate::event::{At, Integer, Part, Sink, Stretch};
use crate::integer::words;
use crate::iso8601::{Accuracy, Clock, Date, DateForm, Duration, Fraction, Interval, Point, Time, Zone};

impl<S: Sink> Reader<'_, '_, S> {
    #[inline(never)]
    pub(super) fn time(&mut self, at: At<S::Level>, node: NodeId, ty: &TimeType) -> Result<(), Error> {
        let start = self.at;
        let time = match Times::of(ty.layout) {
            Times::Text => {
                let text = self.counted_text(at, node)?;
                return match ty.stored(text) {
                    Ok(stored) => {
                        let text = stored.unwrap_or_else(|| text.to_owned());
                        let octets = self.buffered(text.as_bytes());
                        self.sink.text(at, node, octets)
                    }
                    Err(found) => Err(self.refused(node, Words::Own(found))),
                };
            }
            Times::Duration => Time::Interval(Interval::Duration(self.duration(at, node)?)),
            Times::Date(date) => Time::Point(Point::Date(self.date(at, node, date)?)),
            Times::Clock(clock) => Time::Point(Point::Clock(self.clock(at, node, clock)?)),
            Times::Both(date, clock) => {
                let date = self.date(at, node, date)?;
                Time::Point(Point::Both(date, self.clock(at, node, clock)?))
            }
        };
        let time = time.checked().map_err(|found| self.fault(start, found, "a time"))?;
        if !ty.allows(&time) {
            return Err(self.refused(node, Words::Own(format!("{:?}", time.text(false)))));
        }
        let buffer = self.sink.buffer();
        let start = buffer.len();
        time.push(buffer, false);
        self.sink.text(at, node, Stretch::Buffer { start })
    }

    fn date(&mut self, at: At<S::Level>, node: NodeId, parts: DateParts) -> Result<Date, Error> {
        let year = self.part(at, node, Width::AnySigned)?;
        let part = if parts >= DateParts::Month { self.part(at, node, Width::Unsigned(1))? as u16 } else { 0 };
        let day = if parts >= DateParts::Day { self.part(at, node, Width::Unsigned(1))? as u8 } else { 0 };
        let form = match parts {
            DateParts::Year => DateForm::Year,
            DateParts::Month => DateForm::Month,
            DateParts::Day => DateForm::Day,
        };
        Ok(Date { form, year, part, day })
    }

    fn clock(&mut self, at: At<S::Level>, node: NodeId, parts: ClockParts) -> Result<Clock, Error> {
        let hours = self.part(at, node, Width::Unsigned(1))? as u8;
        let minutes = if parts.count > 1 { self.part(at, node, Width::Unsigned(1))? as u8 } else { 0 };
        let seconds = if parts.count > 2 { self.part(at, node, Width::Unsigned(1))? as u8 } else { 0 };
        let accuracy = match parts.count {
            1 => Accuracy::Hours,
            2 => Accuracy::Minutes,
            _ => Accuracy::Seconds,
        };
        let fraction = match parts.digits {
            0 => None,
            digits => Some(Fraction { digits, value: self.part(at, node, Width::AnyUnsigned)? as u64 }),
        };
        let zone = match parts.zone {
            0 => Zone::Local,
            1 => Zone::Utc,
            _ => Zone::Ahead(self.part(at, node, Width::Signed(2))? as i16),
        };
        Ok(Clock { accuracy, hours, minutes, seconds, fraction, zone })
    }

    fn duration(&mut self, at: At<S::Level>, node: NodeId) -> Result<Duration, Error> {
        let start = self.at;
        let there = self.octet()?;
        self.report(at, node, Part::Presence, start);
        let mut parts = [None; 7];
        for (place, part) in parts.iter_mut().enumerate() {
            if there >> (7 - place) & 1 == 1 {
                *part = Some(self.part(at, node, Width::AnyUnsigned)? as u64);
            }
        }
        let fraction = match there & 1 {
            0 => None,
            _ => {
                let digits = self.part(at, node, Width::AnyUnsigned)?;
                let value = self.part(at, node, Width::AnyUnsigned)? as u64;
                Some(Fraction { digits: u32::try_from(digits).unwrap_or(u32::MAX), value })
            }
        };
        Ok(Duration { parts, fraction }.without_zeros())
    }

    /// Reads a part of a time.
    fn part(&mut self, at: At<S::Level>, node: NodeId, width: Width) -> Result<i64, Error> {
        let start = self.at;
        self.number(at, node, width, |_, value| match value {
            Integer::Small(number) => Ok(number),
            Integer::Big(_) => {
                Err(Error::new(ErrorKind::Unsupported, "oer", start as u64, words(value), "at most 18 digits"))
            }
        })
    }
}
