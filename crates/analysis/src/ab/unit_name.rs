//! What a column of units holds: `user_id` holds users.

/// The unit that was assigned to an arm, named by its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitName {
    /// One of them: `user`.
    pub one: String,
    /// Several of them: `users`.
    pub many: String,
}

impl UnitName {
    /// From the name of the column.
    pub fn from_column(column: &str) -> UnitName {
        let one = (column.strip_suffix("id").and_then(|rest| rest.strip_suffix(['_', '-', ' '])))
            .or_else(|| column.strip_suffix("Id"))
            .or_else(|| column.strip_suffix("ID"))
            .filter(|noun| !noun.is_empty())
            .unwrap_or(column);
        UnitName { one: one.to_owned(), many: plural(one) }
    }
}

fn plural(noun: &str) -> String {
    match noun {
        _ if noun.ends_with("ch") || noun.ends_with("sh") => [noun, "es"].concat(),
        _ if noun.ends_with('s') => noun.to_owned(),
        _ if noun.ends_with("ry") => [&noun[..noun.len() - 1], "ies"].concat(),
        _ => [noun, "s"].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_name_their_units() {
        for (column, one, many) in [
            ("user_id", "user", "users"),
            ("userId", "user", "users"),
            ("id", "id", "ids"),
            ("search", "search", "searches"),
            ("searches", "searches", "searches"),
            ("query", "query", "queries"),
        ] {
            assert_eq!(UnitName::from_column(column), UnitName { one: one.into(), many: many.into() });
        }
    }
}
