//! The help of the program: commands grouped by task.

use std::fmt::Write as _;

use crate::commands::GROUPS;

/// The command with its subcommands grouped in its help.
pub fn grouped(command: clap::Command) -> clap::Command {
    let mut list = String::new();
    for (heading, names) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(list, "{heading}:");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(list, "  {name:<10} {about}");
        }
        list.push('\n');
    }
    let help = "`karat COMMAND --help` lists the options of a command.";
    let template =
        format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}\n\n{help}\n");
    // Wrapped at 80 columns on wider terminals too.
    command.max_term_width(80).help_template(template)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let definition = crate::definition();
        let mut all: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
        listed.sort_unstable();
        all.sort_unstable();
        assert_eq!(listed, all);
    }
}
