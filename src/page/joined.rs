//! Joins the page's modules into one: a browser takes longer to find fifty modules than to run one
//! of their length (at a fourth of a processor's speed, half a second).
//!
//! Every module becomes a function that returns what the module exports, after those that it
//! imports. This takes modules that do not import each other in a circle, import names on one line,
//! and export functions, constants and classes where they declare them; the page's do, and tests
//! say so.

/// The source of one module that does what the module `main` of `sources` (names and sources) does.
pub(super) fn joined(main: &str, sources: &[(&str, String)]) -> String {
    let mut order = Vec::new();
    visit(main, sources, &mut order);
    order.into_iter().map(|(name, source)| as_function(name, source)).collect()
}

/// Adds the module `name` to the order in which modules run, after those that it imports.
fn visit<'a>(name: &str, sources: &'a [(&str, String)], order: &mut Vec<(&'a str, &'a str)>) {
    if order.iter().any(|(other, _)| *other == name) {
        return;
    }
    let Some((name, source)) = sources.iter().find(|(other, _)| *other == name) else { return };
    for (_, from) in source.lines().filter_map(import) {
        visit(from, sources, order);
    }
    order.push((name, source));
}

/// The names between the braces, and the module, of a line such as `import { a, b as c } from
/// 'page/d.js';`.
fn import(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("import { ")?.strip_suffix(".js';")?.split_once(" } from 'page/")
}

/// The declaration of a line such as `export const a = 1;`, and the name that it declares.
fn export(line: &str) -> Option<(&str, &str)> {
    let declaration = line.strip_prefix("export ")?;
    let named = declaration.strip_prefix("async ").unwrap_or(declaration);
    let name =
        ["function ", "const ", "class "].iter().find_map(|word| named.strip_prefix(word))?;
    let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
    Some((declaration, &name[..end]))
}

/// The module as the constant `$name`, an object of what it exports.
fn as_function(name: &str, source: &str) -> String {
    let mut exported = Vec::new();
    let mut lines = vec![format!("const ${name} = (() => {{")];
    for line in source.lines() {
        lines.push(if let Some((names, from)) = import(line) {
            format!("const {{ {} }} = ${from};", names.replace(" as ", ": "))
        } else if let Some((declaration, name)) = export(line) {
            exported.push(name);
            declaration.to_owned()
        } else {
            line.to_owned()
        });
    }
    lines.push(format!("return {{ {} }};\n}})();\n", exported.join(", ")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand.
    #[test]
    fn a_module_becomes_a_function_after_those_that_it_imports() {
        let sources = [
            ("main", "import { a, b as c } from 'page/other.js';\nimport { d } from 'page/last.js';\na(c, d);".into()),
            ("last", "import { a } from 'page/other.js';\nexport async function d() {\nreturn a;\n}".into()),
            ("other", "export const a = (b) => b;\nexport class b {\n}\nconst c = 'export const';".into()),
            ("alone", "export const nobody = 1;".into()),
        ];
        let other = "const $other = (() => {\nconst a = (b) => b;\nclass b {\n}\nconst c = 'export const';\nreturn { a, b };\n})();\n";
        let last = "const $last = (() => {\nconst { a } = $other;\nasync function d() {\nreturn a;\n}\nreturn { d };\n})();\n";
        let main = "const $main = (() => {\nconst { a, b: c } = $other;\nconst { d } = $last;\na(c, d);\nreturn {  };\n})();\n";
        assert_eq!(joined("main", &sources), other.to_owned() + last + main);
    }
}
