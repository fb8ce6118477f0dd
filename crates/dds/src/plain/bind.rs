//! A tree by the schema.

use std::collections::HashMap;

use tam::{Error, ErrorKind, Expansion, Limits, Words};
use xml::chars::is_white;
use xml::white_space::trim;

use super::tree::{Children, Named, Tree, check_blank};
use crate::options::Options;
use crate::schema::{Complex, Name, Occurs, Schema, Simple, Style, Type, TypeId};
use crate::soap::envelope::{ENCODING, XSD, XSI};
use crate::values::lexical;
use crate::values::{Array, Value};

/// What is still to be done, the next thing last.
enum Work<'t> {
    Enter {
        node: usize,
        ty: TypeId,
        nillable: bool,
    },
    /// The values of a compound's members have been read: how many of each there are.
    Record {
        node: usize,
        ty: TypeId,
        counts: Vec<usize>,
    },
    /// The items of an array are to be read.
    Array(Box<OpenArray<'t>>),
}

/// An array whose items are being read.
struct OpenArray<'t> {
    node: usize,
    item: TypeId,
    children: Children<'t>,
    array: Array,
    /// Whether the value of an item comes next on the values' stack.
    waits: bool,
}

/// The attributes that mean something, as far as they are there.
struct Names {
    own_type: Option<Named>,
    nil: Option<Named>,
    href: Option<Named>,
    id: Option<Named>,
    array_type: Option<Named>,
    offset: Option<Named>,
    position: Option<Named>,
}

impl Names {
    fn of(tree: &Tree<'_>) -> Names {
        Names {
            own_type: tree.name(XSI, "type"),
            nil: tree.name(XSI, "nil"),
            href: tree.name("", "href"),
            id: tree.name("", "id"),
            array_type: tree.name(ENCODING, "arrayType"),
            offset: tree.name(ENCODING, "offset"),
            position: tree.name(ENCODING, "position"),
        }
    }
}

struct Binding<'t, 'm> {
    tree: &'t Tree<'m>,
    names: Names,
    schema: &'t Schema,
    encoded: bool,
    limits: &'t Limits,
    /// Units that are left, and bytes that references may add.
    left: u32,
    expansion: Expansion,
    ids: Option<HashMap<&'t str, Option<usize>>>,
    /// Where the references of each element lead in the end, so that no chain of them is followed twice.
    ends: HashMap<usize, Option<usize>>,
    /// Elements that are being read, so that none holds itself.
    open: Vec<bool>,
    work: Vec<Work<'t>>,
    values: Vec<Value>,
}

/// The value of a method's element.
pub(crate) fn read(
    tree: &Tree<'_>,
    node: usize,
    schema: &Schema,
    method: usize,
    options: &Options,
) -> Result<Value, Error> {
    let method = &schema.methods()[method];
    let mut binding = Binding {
        tree,
        names: Names::of(tree),
        schema,
        encoded: method.style == Style::Encoded,
        limits: &options.limits,
        left: options.limits.units,
        expansion: options.limits.decompression(tree.len()),
        ids: None,
        ends: HashMap::new(),
        open: vec![false; tree.nodes.len()],
        work: vec![Work::Enter { node, ty: method.ty, nillable: false }],
        values: Vec::new(),
    };
    while let Some(work) = binding.work.pop() {
        match work {
            Work::Enter { node, ty, nillable } => binding.enter(node, ty, nillable)?,
            Work::Record { node, ty, counts } => binding.leave_record(node, ty, &counts)?,
            Work::Array(open) => binding.go_on(open)?,
        }
    }
    Ok(binding.values.pop().unwrap_or_default())
}

impl<'t> Binding<'t, '_> {
    fn enter(&mut self, node: usize, ty: TypeId, nillable: bool) -> Result<(), Error> {
        self.count_unit(node)?;
        let Some(node) = self.referred(node, nillable)? else {
            self.values.push(Value::Nil);
            return Ok(());
        };
        self.check_type(node, ty)?;
        match self.schema.get(ty) {
            Type::Simple(simple) => {
                let value = lexical::value(*simple, self.text(node)?);
                let value = value.ok_or_else(|| self.no_value(node, simple.described()))?;
                self.values.push(value);
            }
            Type::Union(alternatives) => {
                let text = self.text(node)?;
                let take = |(n, simple): (usize, &Simple)| Some(Value::Union(n, lexical::value(*simple, text)?.into()));
                let value = alternatives.iter().enumerate().find_map(take);
                let value = value.ok_or_else(|| self.no_value(node, "a value of one of the union's types"))?;
                self.values.push(value);
            }
            Type::Array { item, name } => self.enter_array(node, *item, name.as_ref())?,
            Type::Complex(complex) => self.enter_record(node, ty, complex)?,
        }
        Ok(())
    }

    fn count_unit(&mut self, node: usize) -> Result<(), Error> {
        let Some(left) = self.left.checked_sub(1) else {
            let at = self.tree.range(node).start as u64;
            return Err(Error::limit("soap", at, "more elements", "units", self.limits.units.into()));
        };
        self.left = left;
        Ok(())
    }

    /// A value is copied from the element `target`, which `node` refers to: its bytes count once more.
    fn count_copy(&mut self, node: usize, target: usize) -> Result<(), Error> {
        let tree = self.tree;
        let charged = self.expansion.charge(tree.range(target).len());
        charged.map_err(|exceeded| exceeded.error("soap", tree.range(node).start as u64, "references to more bytes"))
    }

    /// The element that holds the value, `None` for nil.
    fn referred(&mut self, node: usize, nillable: bool) -> Result<Option<usize>, Error> {
        let tree = self.tree;
        let (mut at, mut steps) = (node, Vec::new());
        let end = loop {
            if let Some(&end) = self.ends.get(&at) {
                break end;
            }
            if self.is_nil(at, nillable)? {
                break None;
            }
            let href = if self.encoded { tree.attribute(at, self.names.href) } else { None };
            let Some(href) = href else { break Some(at) };
            self.check_empty(at, "nothing in an element that refers to another")?;
            // Each step goes to an element of its own, or around in a circle.
            if steps.len() > tree.nodes.len() {
                return Err(tree.error(ErrorKind::Schema, at, "references in a circle", "a value"));
            }
            self.count_unit(at)?;
            steps.push(at);
            at = self.target(at, tree.value(href))?;
        };
        let is_reference = !steps.is_empty() || end.is_some_and(|end| end != node);
        self.ends.extend(steps.into_iter().map(|step| (step, end)));
        let Some(end) = end else { return Ok(None) };
        if self.open[end] {
            let expected = "a value that does not hold itself";
            return Err(tree.error(ErrorKind::Unsupported, end, "a reference to what holds it", expected));
        }
        if is_reference {
            self.count_copy(node, end)?;
        }
        Ok(Some(end))
    }

    /// Whether `xsi:nil` says that an element has no value.
    fn is_nil(&self, node: usize, nillable: bool) -> Result<bool, Error> {
        let tree = self.tree;
        let Some(nil) = tree.attribute(node, self.names.nil) else { return Ok(false) };
        let nil = trim(tree.value(nil));
        let Some(nil) = xml::number::boolean(nil) else {
            let found = Words::Own(format!("xsi:nil '{nil}'"));
            return Err(tree.error(ErrorKind::Schema, node, found, Simple::Boolean.described()));
        };
        if nil {
            self.check_empty(node, "nothing in an element that is nil")?;
            if !(nillable || self.encoded) {
                return Err(tree.error(ErrorKind::Schema, node, "nil", "a value"));
            }
        }
        Ok(nil)
    }

    fn target(&mut self, node: usize, href: &str) -> Result<usize, Error> {
        let tree = self.tree;
        let Some(id) = href.strip_prefix('#') else {
            let found = Words::Own(format!("a reference to '{href}'"));
            return Err(tree.error(ErrorKind::Unsupported, node, found, "a reference into the message"));
        };
        let ids = self.ids.get_or_insert_with(|| {
            let mut ids = HashMap::new();
            for node in 0..tree.nodes.len() {
                if let Some(id) = tree.attribute(node, self.names.id) {
                    ids.entry(tree.value(id)).and_modify(|node| *node = None).or_insert(Some(node));
                }
            }
            ids
        });
        match ids.get(id) {
            Some(Some(target)) => Ok(*target),
            Some(None) => {
                let found = Words::Own(format!("the id '{id}' more than once"));
                Err(tree.error(ErrorKind::Schema, node, found, "each id once"))
            }
            None => {
                let found = Words::Own(format!("a reference to the id '{id}', which no element has"));
                Err(tree.error(ErrorKind::Schema, node, found, "the id of an element"))
            }
        }
    }

    /// What `xsi:type` says must be what the schema says.
    fn check_type(&self, node: usize, ty: TypeId) -> Result<(), Error> {
        let tree = self.tree;
        let Some(attribute) = tree.attribute(node, self.names.own_type) else {
            return Ok(());
        };
        let fits = attribute.qname.is_some_and(|name| {
            let (namespace, local) = (tree.namespace(name), tree.local(name));
            let is_builtin = namespace == XSD || namespace == ENCODING;
            match self.schema.get(ty) {
                Type::Simple(simple) => !is_builtin || simple.is_called(local.as_bytes()),
                Type::Union(_) => true,
                Type::Array { .. } => !is_builtin || namespace == ENCODING && local == "Array",
                Type::Complex(complex) => match &complex.name {
                    Some(own) => *own.namespace == *namespace && own.local == local,
                    None => !is_builtin || namespace == ENCODING && local == "Struct",
                },
            }
        });
        if fits {
            return Ok(());
        }
        let found = Words::Own(format!("xsi:type '{}'", trim(tree.value(attribute))));
        Err(tree.error(ErrorKind::Schema, node, found, self.described(ty)))
    }

    fn described(&self, ty: TypeId) -> Words {
        match self.schema.get(ty) {
            Type::Simple(simple) => Words::Text(simple.described()),
            Type::Union(_) => Words::Text("a value of one of the union's types"),
            Type::Array { .. } => Words::Text("an array"),
            Type::Complex(Complex { name: Some(name), .. }) => Words::Own(format!("a value of the type '{name}'")),
            Type::Complex(_) => Words::Text("a compound"),
        }
    }

    /// The text of an element that has nothing else in it.
    fn text(&self, node: usize) -> Result<&'t str, Error> {
        match self.tree.children(node).next() {
            Some(child) => Err(self.tree.error(ErrorKind::Schema, child, "an element", "text alone")),
            None => Ok(self.tree.text(node)),
        }
    }

    fn no_value(&self, node: usize, expected: &'static str) -> Error {
        let whole = trim(self.tree.text(node));
        let mut text: String = whole.chars().take(40).collect();
        if text.len() < whole.len() {
            text.push('…');
        }
        let error = Error::new(ErrorKind::Schema, "soap", 0, Words::Own(format!("'{text}'")), expected);
        self.tree.error_at(self.tree.text_at(node), error, node)
    }

    fn check_empty(&self, node: usize, expected: &'static str) -> Result<(), Error> {
        if let Some(child) = self.tree.children(node).next() {
            return Err(self.tree.error(ErrorKind::Schema, child, "an element", expected));
        }
        if is_white(self.tree.text(node).as_bytes()) {
            return Ok(());
        }
        let error = Error::new(ErrorKind::Schema, "soap", 0, "text", expected);
        Err(self.tree.error_at(self.tree.text_at(node), error, node))
    }

    /// Finds the member that each child is, and has the children read in the members' order.
    fn enter_record(&mut self, node: usize, ty: TypeId, complex: &Complex) -> Result<(), Error> {
        let tree = self.tree;
        check_blank(tree, node)?;
        let mut found: Vec<Vec<usize>> = vec![Vec::new(); complex.members.len()];
        let mut last = 0;
        for child in tree.children(node) {
            let name = tree.nodes[child].name;
            let is = |member: &crate::schema::Member| tree.is(name, &member.name.namespace, &member.name.local);
            // A name that several members have is the next of them that has room.
            let room = |n: usize| found[n].is_empty() || complex.members[n].occurs == Occurs::Many && n == last;
            let numbers = 0..complex.members.len();
            let mut fitting =
                numbers.filter(|&n| is(&complex.members[n]) && room(n) && (!complex.ordered || n >= last));
            let Some(member) = fitting.next() else {
                let found = Words::Own(format!("'{}'", tree.written(child)));
                return Err(tree.error(ErrorKind::Schema, child, found, "a member that the type has in this place"));
            };
            found[member].push(child);
            last = member;
        }
        for (member, children) in complex.members.iter().zip(&found) {
            if children.is_empty() && member.occurs == Occurs::Required {
                let found = Words::Own(format!("missing member '{}'", member.name));
                return Err(tree.error(ErrorKind::Schema, node, found, ""));
            }
        }
        self.open[node] = true;
        let counts = found.iter().map(Vec::len).collect();
        self.work.push(Work::Record { node, ty, counts });
        for (member, children) in complex.members.iter().zip(&found).rev() {
            let enter = |&node: &usize| Work::Enter { node, ty: member.ty, nillable: member.nillable };
            self.work.extend(children.iter().rev().map(enter));
        }
        Ok(())
    }

    fn leave_record(&mut self, node: usize, ty: TypeId, counts: &[usize]) -> Result<(), Error> {
        self.open[node] = false;
        let Type::Complex(complex) = self.schema.get(ty) else { return Ok(()) };
        // Members that are left out take as much room as others.
        counts.iter().filter(|&&count| count == 0).try_for_each(|_| self.count_unit(node))?;
        let all: usize = counts.iter().sum();
        let mut values = self.values.split_off(self.values.len() - all).into_iter();
        let mut members = Vec::with_capacity(counts.len());
        for (member, &count) in complex.members.iter().zip(counts) {
            members.push(if member.occurs == Occurs::Many {
                let mut array = Array::new(self.schema, member.ty);
                values.by_ref().take(count).for_each(|value| array.push(value));
                Value::Array(array)
            } else if count == 0 {
                Value::Absent
            } else {
                values.next().unwrap_or_default()
            });
        }
        self.values.push(Value::Record(members));
        Ok(())
    }

    fn enter_array(&mut self, node: usize, item: TypeId, name: Option<&Name>) -> Result<(), Error> {
        let tree = self.tree;
        check_blank(tree, node)?;
        let dimensions = if self.encoded { self.array_type(node, item)? } else { None };
        let children = tree.children(node);
        for child in children.clone() {
            let own = tree.nodes[child].name;
            if name.is_some_and(|name| !tree.is(own, &name.namespace, &name.local)) {
                let found = Words::Own(format!("'{}'", tree.written(child)));
                return Err(tree.error(ErrorKind::Schema, child, found, "an item of the array"));
            }
            if self.encoded && tree.attribute(child, self.names.position).is_some() {
                let found = "an item with a position";
                return Err(tree.error(ErrorKind::Unsupported, child, found, "an array of all its items"));
            }
        }
        if let Some(dimensions) = &dimensions {
            let product = dimensions.iter().try_fold(1_u64, |all, &size| all.checked_mul(size.into()));
            if product != Some(children.len() as u64) {
                let found = Words::Count(children.len() as u64, "items");
                return Err(tree.error(ErrorKind::Schema, node, found, "as many items as the arrayType says"));
            }
        }
        self.open[node] = true;
        let mut array = Array::new(self.schema, item);
        array.dimensions = dimensions.filter(|dimensions| dimensions.len() > 1).unwrap_or_default();
        self.work.push(Work::Array(Box::new(OpenArray { node, item, children, array, waits: false })));
        Ok(())
    }

    /// Reads items up to one that takes more work, or to the end.
    fn go_on(&mut self, mut open: Box<OpenArray<'t>>) -> Result<(), Error> {
        let work = self.work.len();
        loop {
            if open.waits {
                open.array.push(self.values.pop().unwrap_or_default());
            }
            let Some(child) = open.children.next() else { break };
            open.waits = true;
            self.enter(child, open.item, true)?;
            if self.work.len() > work {
                // It is done before the items after it.
                self.work.insert(work, Work::Array(open));
                return Ok(());
            }
        }
        self.open[open.node] = false;
        self.values.push(Value::Array(open.array));
        Ok(())
    }

    /// The sizes in `SOAP-ENC:arrayType` (SOAP 1.1 section 5.4.2).
    fn array_type(&self, node: usize, item: TypeId) -> Result<Option<Vec<u32>>, Error> {
        let tree = self.tree;
        if tree.attribute(node, self.names.offset).is_some_and(|offset| trim(tree.value(offset)) != "[0]") {
            let found = "an array that begins after its first item";
            return Err(tree.error(ErrorKind::Unsupported, node, found, "an array of all its items"));
        }
        let Some(attribute) = tree.attribute(node, self.names.array_type) else {
            return Ok(None);
        };
        let refuse = |expected: Words| {
            let found = Words::Own(format!("the arrayType '{}'", trim(tree.value(attribute))));
            tree.error(ErrorKind::Schema, node, found, expected)
        };
        let written = trim(tree.value(attribute));
        let parts = written.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let (Some((ty, sizes)), Some(name)) = (parts, attribute.qname) else {
            return Err(refuse("the name of a type, and sizes in brackets".into()));
        };
        let ranks = ty.find('[').map_or("", |at| &ty[at..]);
        if !ranks.bytes().all(|byte| matches!(byte, b'[' | b']' | b',')) {
            return Err(refuse("the name of a type, and sizes in brackets".into()));
        }
        let (namespace, local) = (tree.namespace(name), tree.local(name));
        let is_builtin = namespace == XSD || namespace == ENCODING;
        let is_any = is_builtin && matches!(local, "anyType" | "ur-type" | "anySimpleType");
        let fits = match self.schema.get(item) {
            Type::Simple(simple) => ranks.is_empty() && (!is_builtin || simple.is_called(local.as_bytes())),
            Type::Union(_) => ranks.is_empty(),
            Type::Array { .. } => !ranks.is_empty() || !is_builtin || local == "Array",
            Type::Complex(complex) => {
                ranks.is_empty()
                    && match &complex.name {
                        Some(own) => *own.namespace == *namespace && own.local == local,
                        None => !is_builtin,
                    }
            }
        };
        if !(fits || is_any && ranks.is_empty()) {
            return Err(refuse(self.described(item)));
        }
        if sizes.is_empty() {
            return Ok(None);
        }
        let size = |size: &str| {
            let size = trim(size);
            size.parse().ok().filter(|_| size.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let sizes: Option<Vec<u32>> = sizes.split(',').map(size).collect();
        sizes.map(Some).ok_or_else(|| refuse("sizes in brackets".into()))
    }
}
