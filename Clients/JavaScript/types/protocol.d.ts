export type Shown = "root" | "push" | "sheet" | "formSheet" | "popover" | "fullScreen" | "overFullScreen" | "alert" | "actionSheet";
/**
 * A description of the client, sent when it opens a session.
 */
export type Client = {
    /**
     * Such as `web`.
     */
    name?: string | undefined;
    /**
     * The program's version, such as `3.2`.
     */
    version?: string | undefined;
    /**
     * The newest version of each screen that the client can draw, with `*` for all
     * others; every screen if missing.
     */
    screens?: Record<string, number> | undefined;
    /**
     * A language tag, such as `navigator.language`.
     */
    locale?: string | undefined;
    /**
     * Such as `Intl.DateTimeFormat().resolvedOptions().timeZone`.
     */
    timeZone?: string | undefined;
};
export type Screen = {
    id: number;
    screen: string;
    version?: number;
    coordinator: string;
    shown: Shown;
    state: any;
    events?: Record<string, any>;
};
export type Tabs = {
    selected: string;
    names: string[];
};
/**
 * The report that a session was resumed because a new build or the operator undid inputs: the last valid revision (0 if
 * the session was restarted), and what was lost, with effects and the owners of timers by name.
 */
export type Resumed = {
    revision: number;
    reason: string;
    dropped: {
        inputs: number;
        messages: number;
        results: string[];
        effects: string[];
        timers: string[];
    };
};
/**
 * The complete state of a session; a client needs only the newest state.
 */
export type State = {
    session: string;
    app: string;
    revision: number;
    stack: Screen[];
    tabs?: Tabs | undefined;
    back: boolean | {
        refused: string;
    };
    changes: any[];
    pending: string[];
    /**
     * Present up to and including the answer to a client's next input.
     */
    resumed?: Resumed | undefined;
    warnings?: string[] | undefined;
    leaks?: any[] | undefined;
    ended?: {
        reason: string;
        result?: any;
    } | undefined;
};
