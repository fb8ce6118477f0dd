//! Items of an array that are written alike, found as they are read.

use std::sync::Arc;

use crate::markup::scan::Unusual;
use crate::regular::frame::{Kind, top_array};
use crate::regular::twin::List;
use crate::regular::{Progress, Read, Regular};
use crate::rows::Row;
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
        let Trace { parts, steps, .. } = &mut self.progress.trace;
        let mut holes = self.pool.holes();
        match (schema.get(item), read.leaf) {
            (CompiledType::Simple(simple), Some(leaf)) => holes.push((leaf, 0, *simple)),
            (CompiledType::Complex { members, .. }, _) => {
                // From the end, so that their paths are forgotten one by one.
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
        self.pair(self.progress.scope.mark());
        let old = self.old;
        let (array, frame_run) = top_array(&mut self.progress.frames).ok_or(Unusual)?;
        array.push(read.value);
        let count = array.len;
        // What follows may be taken from the message before.
        let is_followed = match (&mut frame_run.list, old) {
            (List::Runs(list), Some(old)) => list.pass(old).is_some(),
            _ => false,
        };
        let Some(row) = row else { return Ok(()) };
        let Some(part) = self.open_run(read.start, &row, count - 1) else { return Ok(()) };
        let Progress { frames, trace: Trace { parts, .. }, .. } = &mut *self.progress;
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
            if !is_followed {
                end = run.row.run(bytes, at, array, most, &mut marks);
            }
            frame.run.end = end;
        }
        marks.finish();
        self.scanner.at = end;
        Ok(())
    }

    /// The run that the item from `start` on belongs to, the `first` of the array if the run is new: the last one if it goes
    /// on here. `None` where items were written in too many ways.
    pub(crate) fn open_run(&mut self, start: usize, row: &Arc<Row>, first: usize) -> Option<usize> {
        let Progress { frames, trace: Trace { parts, .. }, .. } = &mut *self.progress;
        let counted = match frames.last().map(|frame| &frame.kind) {
            Some(Kind::Array { count: Some(count), .. }) => first == 0 && count + 1 == parts.len(),
            _ => false,
        };
        let (_, last) = top_array(frames)?;
        // The same row goes on where it was left.
        let is_same = |&part: &usize| matches!(parts.get(part), Some(Part::Run(run)) if run.row == *row);
        if let Some(part) = last.part.filter(|_| last.end == start).filter(is_same) {
            return Some(part);
        }
        if last.rows >= ROWS {
            return None;
        }
        (last.rows, last.runs) = (last.rows + 1, last.runs + 1);
        last.part = Some(parts.len());
        let (path, bindings) = self.array_place(self.progress.scope.mark())?;
        let (row, portions) = (row.clone(), self.pool.portions());
        let run = Run { start, row, portions, path, first, whole: false, counted, bindings };
        self.progress.trace.parts.push(Part::Run(Box::new(run)));
        Some(self.progress.trace.parts.len() - 1)
    }
}
