// Makes the messages out of the structs of the module that includes this file.

pub fn request<S: From<&'static str>>() -> ServiceListRequest<S> {
    ServiceListRequest { from: DEVICES[0].into(), to: DEVICES[1].into(), number: 4711 }
}

pub fn reply<S: From<&'static str>>() -> ServiceListReply<S> {
    let service = |(i, listed): (usize, &Listed)| {
        let &(name, help, room, period, child) = listed;
        let n = i as u32;
        Service {
            id: ServiceId { device: DEVICES[i % 4].into(), number: 100 + 7 * n, unit: 65 + i as u8, local: i % 3 != 0 },
            name: name.into(),
            help: help.map(S::from),
            room: room.map(S::from),
            kind: [66, 67, 83, 84][i % 4],
            port: 40_000 + 13 * n,
            period,
            version: 1 + n % 12,
            priority: 48 + (i % 5) as u8,
            hidden: i % 7 == 6,
            remote: i % 2 == 0,
            secure: i % 5 != 1,
            stream: i % 4 == 1,
            made: Origin {
                by: DEVICES[(i + 1) % 4].into(),
                day: 16_400 + (n as i32) * 9,
                level: 97 + (i % 3) as u8,
                signed: i % 3 == 1,
                note: (i % 5 == 0).then(|| "checked".into()),
            },
            parent: child.then(|| ServiceId { device: DEVICES[1].into(), number: 12, unit: 65, local: true }),
        }
    };
    ServiceListReply {
        from: DEVICES[1].into(),
        to: DEVICES[0].into(),
        number: 4711,
        services: SERVICES.iter().enumerate().map(service).collect(),
    }
}

pub fn image<S: From<&'static str>, B: From<&'static [u8]>>(count: usize) -> ImageReply<S, B> {
    ImageReply {
        command: "image-reply".into(),
        title: "wound, left foot, day 12".into(),
        media: "image/jpeg".into(),
        width: 1600,
        height: 1200,
        taken: 1_433_501_122_000,
        image: octets(count).into(),
    }
}
