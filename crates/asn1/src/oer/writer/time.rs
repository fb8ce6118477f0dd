//! TIME and the like (X.696 clause 29), the last part first.

use tam::{Error, Words};

use super::super::primitive::{ClockParts, DateParts, Times, Width};
use super::Writer;
use crate::compiled::{NodeId, TimeType};
use crate::event::{Integer, Source};
use crate::iso8601::{Clock, Date, Duration, Interval, Point, Time, Zone};

impl<S: Source> Writer<'_, '_, S> {
    #[inline(never)]
    pub(super) fn time(&mut self, node: NodeId, ty: &TimeType, text: &str) -> Result<(), Error> {
        let time = match ty.read(text) {
            Ok(time) => time,
            Err(found) => return Err(self.refused(node, Words::Own(found))),
        };
        match (Times::of(ty.layout), &time) {
            (Times::Date(parts), Time::Point(Point::Date(date))) => self.date(parts, date),
            (Times::Clock(parts), Time::Point(Point::Clock(clock))) => self.clock(parts, clock),
            (Times::Both(date_parts, parts), Time::Point(Point::Both(date, clock))) => {
                self.clock(parts, clock);
                self.date(date_parts, date);
            }
            (Times::Duration, Time::Interval(Interval::Duration(duration))) => self.duration(duration),
            _ => self.counted(time.text(self.canonical).as_bytes()),
        }
        Ok(())
    }

    fn date(&mut self, parts: DateParts, date: &Date) {
        if parts >= DateParts::Day {
            self.out.octet(date.day);
        }
        if parts >= DateParts::Month {
            self.out.octet(date.part as u8);
        }
        self.number(Width::AnySigned, Integer::Small(date.year));
    }

    fn clock(&mut self, parts: ClockParts, clock: &Clock) {
        if let Zone::Ahead(minutes) = clock.zone {
            self.number(Width::Signed(2), Integer::Small(minutes.into()));
        }
        if let Some(fraction) = clock.fraction {
            self.number(Width::AnyUnsigned, Integer::Small(fraction.value as i64));
        }
        for part in [clock.seconds, clock.minutes, clock.hours].into_iter().skip(3 - usize::from(parts.count)) {
            self.out.octet(part);
        }
    }

    fn duration(&mut self, duration: &Duration) {
        if let Some(fraction) = duration.fraction {
            self.number(Width::AnyUnsigned, Integer::Small(fraction.value as i64));
            self.number(Width::AnyUnsigned, Integer::Small(fraction.digits.into()));
        }
        let mut there = u8::from(duration.fraction.is_some());
        for (place, part) in duration.parts.iter().enumerate().rev() {
            if let Some(part) = part {
                self.number(Width::AnyUnsigned, Integer::Small(*part as i64));
                there |= 0x80 >> place;
            }
        }
        self.out.octet(there);
    }
}
