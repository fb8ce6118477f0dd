//! Items of an array that are written alike, found as they are read.

use crate::markup::scan::Unusual;
use crate::regular::frame::{Kind, array_path, top_array};
use crate::regular::{Progress, Read, Regular};
use crate::rows::marks::Marks;
use crate::schema::TypeId;
use crate::schema::compiled::CompiledType;
use crate::trace::{Part, Run, Trace};
use crate::values::Value;

/// So often an array's items may begin to be written in another way; then they are read by their tags.
const ROWS: u32 = 8;

impl Regular<'_, '_> {
    /// An item of an array of columns: those that follow may be written like it.
    pub(crate) fn item(&mut self, read: Read, item: TypeId) -> Result<(), Unusual> {
        let schema = self.schema;
        let Progress { frames, trace: Trace { parts, steps, .. }, .. } = &mut *self.progress;
        let mut holes = self.pool.holes();
        match (schema.get(item), read.leaf) {
            (CompiledType::Simple(simple), Some(leaf)) => holes.push((leaf, 0, *simple)),
            (CompiledType::Complex { members, .. }, _) => {
                // From behind, so that their paths are forgotten one by one.
                for part in parts.drain(read.parts..).rev() {
                    if let Part::Slot { leaf, ty, path } = part
                        && let CompiledType::Simple(simple) = schema.get(ty)
                    {
                        holes.push((leaf, steps.of(path).last().map_or(0, |&member| member as usize), *simple));
                        steps.forget_from(path);
                    }
                }
                holes.reverse();
                if holes.len() != members.len() {
                    holes.clear();
                }
            }
            _ => {}
        }
        let at = self.scanner.at;
        let bytes = self.scanner.bytes;
        let is_row = !holes.is_empty() && at - read.start <= 1 << 15;
        let row = if is_row { self.pool.row(item, bytes, read.start, at, &holes) } else { None };
        self.pool.keep_holes(holes);
        let counted = match frames.last().map(|frame| &frame.kind) {
            Some(Kind::Array { array, count: Some(count), .. }) => array.len == 0 && count + 1 == parts.len(),
            _ => false,
        };
        let (array, frame_run) = top_array(frames).ok_or(Unusual)?;
        array.push(read.value);
        let count = array.len;
        let Some(row) = row else { return Ok(()) };
        // The same row goes on where it was left.
        let last = frame_run.part.filter(|_| frame_run.end == read.start);
        let is_same = |&part: &usize| matches!(parts.get(part), Some(Part::Run(run)) if run.row == row);
        let part = match last.filter(is_same) {
            Some(part) => part,
            None if frame_run.rows < ROWS => {
                (frame_run.rows, frame_run.runs) = (frame_run.rows + 1, frame_run.runs + 1);
                frame_run.part = Some(parts.len());
                let portions = self.pool.portions();
                let path = array_path(frames, schema, steps).ok_or(Unusual)?;
                let (start, first) = (read.start, count - 1);
                parts.push(Part::Run(Box::new(Run { start, row, portions, path, first, whole: false, counted })));
                parts.len() - 1
            }
            None => return Ok(()),
        };
        let Some(Part::Run(run)) = parts.get_mut(part) else { return Err(Unusual) };
        let mut marks = Marks::new(&mut run.portions, self.portion, self.keeps_lens);
        let room = marks.room(read.start, at);
        let mut end = at;
        if let Some(len) = room {
            marks.item(len);
            let frame = frames.last_mut().ok_or(Unusual)?;
            let (array, most) = match &mut frame.kind {
                Kind::Array { array, declared, .. } => {
                    let most = declared.map_or(usize::MAX, |declared| declared.saturating_sub(count));
                    (array, most)
                }
                Kind::Record { values, last, .. } => match &mut values[*last] {
                    Value::Array(array) => (array, usize::MAX),
                    _ => return Err(Unusual),
                },
            };
            end = run.row.run(bytes, at, array, most, &mut marks);
            frame.run.end = end;
        }
        marks.finish();
        self.scanner.at = end;
        Ok(())
    }
}
