export type Shown = "root" | "push" | "sheet" | "formSheet" | "popover" | "fullScreen" | "overFullScreen" | "alert" | "actionSheet";
/**
 * What a client says of itself when it opens a session.
 */
export type Client = {
    /**
     * Such as `web`.
     */
    name?: string | undefined;
    /**
     * Of the program, such as `3.2`.
     */
    version?: string | undefined;
    /**
     * The newest version of each screen that it can draw, `*` for all others;
     * everything where it is left out.
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
 * Inputs that a new build or the operator has undone: the last revision that counts, 0 if the session began anew, and what
 * was lost, with effects and the owners of timers by name.
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
 * A session's state: always complete, so that the newest is all that a client needs.
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
     * Up to the answer to a client's next input.
     */
    resumed?: Resumed | undefined;
    warnings?: string[] | undefined;
    leaks?: any[] | undefined;
    ended?: {
        reason: string;
        result?: any;
    } | undefined;
};
