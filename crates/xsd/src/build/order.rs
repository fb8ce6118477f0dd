//! Topological order: each item comes after those that it depends on.

/// The numbers below `count` in topological order; or a number that depends on itself.
pub(super) fn order(count: usize, mut depends: impl FnMut(usize, &mut Vec<usize>)) -> Result<Vec<usize>, usize> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut states = vec![NEW; count];
    let mut order = Vec::with_capacity(count);
    let mut stack: Vec<usize> = Vec::new();
    let mut others = Vec::new();
    for first in 0..count {
        stack.push(first);
        while let Some(&item) = stack.last() {
            match states[item] {
                NEW => {
                    states[item] = OPEN;
                    others.clear();
                    depends(item, &mut others);
                    for other in others.iter().rev() {
                        match states[*other] {
                            NEW => stack.push(*other),
                            OPEN => return Err(*other),
                            _ => {}
                        }
                    }
                }
                OPEN => {
                    states[item] = DONE;
                    order.push(item);
                    stack.pop();
                }
                _ => {
                    stack.pop();
                }
            }
        }
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::order;

    fn of(graph: &[&[usize]]) -> Result<Vec<usize>, usize> {
        order(graph.len(), |n, others| others.extend_from_slice(graph[n]))
    }

    #[test]
    fn dependencies_come_first() {
        assert_eq!(of(&[&[2], &[0, 2], &[]]), Ok(vec![2, 0, 1]));
        assert_eq!(of(&[&[1, 2], &[2, 3], &[3], &[]]), Ok(vec![3, 2, 1, 0]));
    }

    #[test]
    fn cycles_are_reported() {
        assert!(of(&[&[1], &[2], &[1]]).is_err());
        assert_eq!(of(&[&[0]]), Err(0));
    }
}
