//! Names kept once each: a file repeats its topics, tags and often its documents on every row.

use std::collections::HashMap;
use std::sync::Arc;

/// Names and their numbers.
#[derive(Debug, Clone, Default)]
pub struct Names {
    list: Vec<Arc<[u8]>>,
    numbers: HashMap<Arc<[u8]>, u32>,
}

impl Names {
    /// The number of a name, which is kept if it is new.
    pub fn number(&mut self, name: &[u8]) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.list.len() as u32;
        let name: Arc<[u8]> = name.into();
        self.list.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// The name with this number.
    pub fn name(&self, number: u32) -> &[u8] {
        self.list.get(number as usize).map_or(&[], |name| name)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
