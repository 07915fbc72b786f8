export type Shown = "root" | "push" | "sheet" | "formSheet" | "popover" | "fullScreen" | "overFullScreen" | "alert" | "actionSheet";
export type Screen = {
    id: number;
    screen: string;
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
    warnings?: string[] | undefined;
    leaks?: any[] | undefined;
    ended?: {
        reason: string;
        result?: any;
    } | undefined;
};
