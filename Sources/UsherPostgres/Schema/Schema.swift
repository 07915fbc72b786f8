/// The tables of a journal, all in the schema `usher`.
///
/// There are only plain tables, without triggers, functions, sequences or foreign keys. Other databases that speak
/// PostgreSQL's protocol can therefore be used, too.
enum Schema {
    /// The format that this build reads and writes.
    static let version = 4

    /// The privileges of a server on all tables.
    static let changing = ["SELECT", "INSERT", "UPDATE", "DELETE"]
    /// The privileges of an inspection.
    static let reading = ["SELECT"]

    /// Returns statements that grant a role, whose name is already quoted, privileges on all tables.
    static func grants(of rights: [String], to role: String) -> String {
        """
        GRANT USAGE ON SCHEMA usher TO \(role);
        GRANT \(rights.joined(separator: ", ")) ON ALL TABLES IN SCHEMA usher TO \(role);
        """
    }

    /// The indexes of sessions: by subject for live and ended sessions, and by the orders of lists for live sessions.
    ///
    /// A new entry changes an indexed column only if its input leaks objects. The new version of a session's row
    /// therefore usually stays on the same page (a heap-only tuple).
    private static let indexes = [
        "CREATE INDEX sessions_subject_order ON usher.sessions (subject, session) WHERE subject IS NOT NULL",
        index(of: "touched"),
        index(of: "created"),
        index(of: "app"),
        index(of: "app, created"),
        index(of: "app, touched"),
        index(of: nil, as: "leaked", where: "leaked IS NOT NULL"),
        index(of: "created", as: "leaked_created", where: "leaked IS NOT NULL"),
        index(of: "touched", as: "leaked_touched", where: "leaked IS NOT NULL"),
    ].joined(separator: ";\n")

    private static func index(of columns: String?, as name: String? = nil, where condition: String? = nil) -> String {
        let name = name ?? columns?.split(separator: ", ").joined(separator: "_") ?? ""
        let order = [columns, "session"].compactMap(\.self).joined(separator: ", ")
        let live = [condition, "ended IS NULL"].compactMap(\.self).joined(separator: " AND ")
        return "CREATE INDEX sessions_\(name)_order ON usher.sessions (\(order)) WHERE \(live)"
    }

    /// The statements that create all tables, as one transaction.
    static let creation = """
        CREATE SCHEMA IF NOT EXISTS usher;
        CREATE TABLE usher.sessions (
            session uuid PRIMARY KEY, revision int8 NOT NULL, mark int8 NOT NULL, answers int8 NOT NULL,
            head bytea NOT NULL, touched int8 NOT NULL, ended int8, access bytea, subject bytea,
            app bytea NOT NULL, created int8 NOT NULL, leaked int8
        ) WITH (fillfactor = 70);
        CREATE INDEX ON usher.sessions (ended) WHERE ended IS NOT NULL;
        \(indexes);
        CREATE TABLE usher.entries (
            session uuid, revision int8, mark int8 NOT NULL, content bytea NOT NULL, PRIMARY KEY (session, revision));
        CREATE TABLE usher.answers (
            session uuid, place int2, number int8 NOT NULL, mark int8 NOT NULL, key bytea NOT NULL,
            content bytea NOT NULL, PRIMARY KEY (session, place));
        CREATE TABLE usher.openings (key bytea PRIMARY KEY, session uuid NOT NULL, content bytea NOT NULL);
        CREATE INDEX ON usher.openings (session);
        CREATE TABLE usher.work (
            session uuid, revision int8, place int4, due int8 NOT NULL, owner int8,
            PRIMARY KEY (session, revision, place));
        CREATE INDEX ON usher.work (due);
        CREATE TABLE usher.guilty (number int8 PRIMARY KEY, session uuid, content bytea NOT NULL);
        CREATE INDEX ON usher.guilty (session);
        CREATE TABLE usher.nodes (
            node int8 PRIMARY KEY, name text NOT NULL UNIQUE, build text NOT NULL, since timestamptz NOT NULL,
            until timestamptz NOT NULL, lineage int8);
        CREATE TABLE usher.builds (build text PRIMARY KEY, seen int8 NOT NULL, confirmed int8);
        CREATE TABLE usher.refusals (session uuid, build text, writer text NOT NULL, PRIMARY KEY (session, build));
        CREATE TABLE usher.holds (
            session uuid, build text, revision int8, mark int8, kind text NOT NULL, content bytea NOT NULL,
            PRIMARY KEY (build, session));
        CREATE INDEX ON usher.holds (session);
        CREATE TABLE usher.chores (
            name text PRIMARY KEY, owner int8 NOT NULL, until timestamptz NOT NULL, value int8 NOT NULL);
        CREATE TABLE usher.keys (id text PRIMARY KEY, since timestamptz NOT NULL);
        CREATE TABLE usher.format (version int4 PRIMARY KEY);
        INSERT INTO usher.format VALUES (\(version));
        """
}
