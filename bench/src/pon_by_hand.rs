//! The paper's messages read and written by hand: what a program does that knows its messages, and
//! what minicbor's derived code does for it.

use messages::{
    Octets,
    named::{ImageReply, Origin, Service, ServiceId, ServiceListReply, ServiceListRequest},
};
use pon::{Backward, Error, Record, Value};

/// A message in both directions.
pub(crate) trait ByHand<'m>: Sized {
    /// Reads the value; members are looked up in the order they are written in.
    fn read(value: Value<'m>) -> Result<Self, Error>;

    /// Writes the value, its last member first.
    fn write(&self, out: &mut Backward<'_, '_>);
}

fn integer<T: TryFrom<i64>>(members: &mut Record<'_>, key: &str) -> Result<T, Error> {
    let value = members.require(key)?;
    fit(value, value.as_i64()?)
}

fn fit<T: TryFrom<i64>>(value: Value<'_>, integer: i64) -> Result<T, Error> {
    let at = value.offset() as u64;
    T::try_from(integer).map_err(|_| Error::new(tam::ErrorKind::Schema, "pon", at, "a larger integer", "one that fits"))
}

fn or_null<'m, T>(
    value: Option<Value<'m>>,
    read: impl FnOnce(Value<'m>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    match value {
        Some(value) if !value.is_null() => read(value).map(Some),
        _ => Ok(None),
    }
}

fn write_or_null<T>(out: &mut Backward<'_, '_>, value: Option<T>, write: impl FnOnce(&mut Backward<'_, '_>, T)) {
    match value {
        Some(value) => write(out, value),
        None => out.null(),
    }
}

impl<'m> ByHand<'m> for ServiceListRequest<&'m str> {
    fn read(value: Value<'m>) -> Result<Self, Error> {
        let mut members = value.record()?;
        Ok(ServiceListRequest {
            from: members.require("from")?.as_str()?,
            to: members.require("to")?.as_str()?,
            number: integer(&mut members, "number")?,
        })
    }

    fn write(&self, out: &mut Backward<'_, '_>) {
        let end = out.end();
        out.unsigned(self.number.into());
        out.key("number");
        out.string(self.to);
        out.key("to");
        out.string(self.from);
        out.key("from");
        out.object(end);
    }
}

impl<'m> ByHand<'m> for ServiceListReply<&'m str> {
    fn read(value: Value<'m>) -> Result<Self, Error> {
        let mut members = value.record()?;
        Ok(ServiceListReply {
            from: members.require("from")?.as_str()?,
            to: members.require("to")?.as_str()?,
            number: integer(&mut members, "number")?,
            services: {
                let mut services = Vec::new();
                for service in members.require("services")?.items() {
                    services.push(Service::read(service?)?);
                }
                services
            },
        })
    }

    fn write(&self, out: &mut Backward<'_, '_>) {
        let end = out.end();
        let services = out.end();
        for service in self.services.iter().rev() {
            service.write(out);
        }
        out.array(services);
        out.key("services");
        out.unsigned(self.number.into());
        out.key("number");
        out.string(self.to);
        out.key("to");
        out.string(self.from);
        out.key("from");
        out.object(end);
    }
}

impl<'m> ByHand<'m> for Service<&'m str> {
    #[inline(always)]
    fn read(value: Value<'m>) -> Result<Self, Error> {
        let mut members = value.record()?;
        Ok(Service {
            id: ServiceId::read(members.require("id")?)?,
            name: members.require("name")?.as_str()?,
            help: or_null(members.get("help")?, Value::as_str)?,
            room: or_null(members.get("room")?, Value::as_str)?,
            kind: members.require("kind")?.as_byte()?,
            port: integer(&mut members, "port")?,
            period: or_null(members.get("period")?, |value| fit(value, value.as_i64()?))?,
            version: integer(&mut members, "version")?,
            priority: members.require("priority")?.as_byte()?,
            hidden: members.require("hidden")?.as_bool()?,
            remote: members.require("remote")?.as_bool()?,
            secure: members.require("secure")?.as_bool()?,
            stream: members.require("stream")?.as_bool()?,
            made: Origin::read(members.require("made")?)?,
            parent: or_null(members.get("parent")?, ServiceId::read)?,
        })
    }

    fn write(&self, out: &mut Backward<'_, '_>) {
        let end = out.end();
        write_or_null(out, self.parent.as_ref(), |out, parent| parent.write(out));
        out.key("parent");
        self.made.write(out);
        out.key("made");
        out.boolean(self.stream);
        out.key("stream");
        out.boolean(self.secure);
        out.key("secure");
        out.boolean(self.remote);
        out.key("remote");
        out.boolean(self.hidden);
        out.key("hidden");
        out.octet(self.priority);
        out.key("priority");
        out.unsigned(self.version.into());
        out.key("version");
        write_or_null(out, self.period, |out, period| out.unsigned(period.into()));
        out.key("period");
        out.unsigned(self.port.into());
        out.key("port");
        out.octet(self.kind);
        out.key("kind");
        write_or_null(out, self.room, |out, text| out.string(text));
        out.key("room");
        write_or_null(out, self.help, |out, text| out.string(text));
        out.key("help");
        out.string(self.name);
        out.key("name");
        self.id.write(out);
        out.key("id");
        out.object(end);
    }
}

impl<'m> ByHand<'m> for ServiceId<&'m str> {
    #[inline(always)]
    fn read(value: Value<'m>) -> Result<Self, Error> {
        let mut members = value.record()?;
        Ok(ServiceId {
            device: members.require("device")?.as_str()?,
            number: integer(&mut members, "number")?,
            unit: members.require("unit")?.as_byte()?,
            local: members.require("local")?.as_bool()?,
        })
    }

    fn write(&self, out: &mut Backward<'_, '_>) {
        let end = out.end();
        out.boolean(self.local);
        out.key("local");
        out.octet(self.unit);
        out.key("unit");
        out.unsigned(self.number.into());
        out.key("number");
        out.string(self.device);
        out.key("device");
        out.object(end);
    }
}

impl<'m> ByHand<'m> for Origin<&'m str> {
    #[inline(always)]
    fn read(value: Value<'m>) -> Result<Self, Error> {
        let mut members = value.record()?;
        Ok(Origin {
            by: members.require("by")?.as_str()?,
            day: integer(&mut members, "day")?,
            level: members.require("level")?.as_byte()?,
            signed: members.require("signed")?.as_bool()?,
            note: or_null(members.get("note")?, Value::as_str)?,
        })
    }

    fn write(&self, out: &mut Backward<'_, '_>) {
        let end = out.end();
        write_or_null(out, self.note, |out, text| out.string(text));
        out.key("note");
        out.boolean(self.signed);
        out.key("signed");
        out.octet(self.level);
        out.key("level");
        out.integer(self.day.into());
        out.key("day");
        out.string(self.by);
        out.key("by");
        out.object(end);
    }
}

impl<'m> ByHand<'m> for ImageReply<&'m str, Octets<'m>> {
    fn read(value: Value<'m>) -> Result<Self, Error> {
        let mut members = value.record()?;
        Ok(ImageReply {
            command: members.require("command")?.as_str()?,
            title: members.require("title")?.as_str()?,
            media: members.require("media")?.as_str()?,
            width: integer(&mut members, "width")?,
            height: integer(&mut members, "height")?,
            taken: integer(&mut members, "taken")?,
            image: Octets(members.require("image")?.as_bytes()?),
        })
    }

    fn write(&self, out: &mut Backward<'_, '_>) {
        self.write_with(out, |out| out.binary(self.image.0));
    }
}

/// An image's message whose octets are written in a way of the caller's.
pub(crate) trait WithOctets {
    fn write_with<'b, 'p>(&self, out: &mut Backward<'b, 'p>, octets: impl FnOnce(&mut Backward<'b, 'p>));
}

impl WithOctets for ImageReply<&str, Octets<'_>> {
    fn write_with<'b, 'p>(&self, out: &mut Backward<'b, 'p>, octets: impl FnOnce(&mut Backward<'b, 'p>)) {
        let end = out.end();
        octets(out);
        out.key("image");
        out.integer(self.taken);
        out.key("taken");
        out.unsigned(self.height.into());
        out.key("height");
        out.unsigned(self.width.into());
        out.key("width");
        out.string(self.media);
        out.key("media");
        out.string(self.title);
        out.key("title");
        out.string(self.command);
        out.key("command");
        out.object(end);
    }
}
