/** The page of a session, by the names of its regions. */
export class SessionView {
  /** @param {import("./page.js").Page} page, @param {string} session its id */
  constructor(page, session) {
    this.page = page;
    this.session = session;
    this.connection = page.get("status", "Connection");
    this.device = page.get("region", "Device");
    this.coordinators = page.get("region", "Coordinators");
    this.memory = page.get("region", "Memory");
    this.journal = page.get("region", "Journal");
    this.inspector = page.get("region", "Inspector");
    this.tabs = this.device.get("tablist", "Tabs");
  }

  /** Selects a tab of the inspector. @param {"Changed" | "State" | "Tree" | "Map" | "Raw"} tab */
  async inspect(tab) {
    await this.inspector.get("tab", tab).click();
  }

  /** Waits until both halves of the page have content. */
  async isThere() {
    await this.device.get("article").appears();
    await this.coordinators.get("treeitem").appears();
  }

  /** @returns {Promise<string[]>} the screens' names, bottom to top */
  async cards() {
    return (await this.device.get("article").names()).map((name) => name.replace(/ \d+$/, ""));
  }

  /** The card on top. */
  async top() {
    return (await this.device.get("article").all()).at(-1);
  }

  /** @returns {Promise<string | null>} the selected tab, if there are tabs */
  async tab() {
    return (await this.tabs.get("tab").all()).find((tab) => tab.property("selected"))?.name ?? null;
  }

  /** @returns {Promise<Record<string, number>>} live, created, finished, leaked */
  async figures() {
    const region = await this.coordinators.one();
    return region.call(function () {
      const pairs = [...this.querySelectorAll("dl dt")].map((term) => {
        const value = term.nextElementSibling.textContent.replace(/\D/g, "");
        return [term.textContent.trim().toLowerCase(), Number(value)];
      });
      return Object.fromEntries(pairs);
    });
  }

  /** @returns {Promise<string>} the tree as it is drawn, such as `App→[TabBar→[Home, Chat]]` */
  async tree() {
    const nodes = (await this.coordinators.get("treeitem").all()).map((node) => ({
      level: node.property("level"),
      type: node.name.replace(/Coordinator.*$/s, ""),
    }));
    return written(nodes);
  }

  /** @param {{cards?: string[], tab?: string | null, tree?: string, figures?: object}} expected the expected contents */
  async shows({ cards, tab, tree, figures }) {
    if (cards) await this.page.becomes(() => this.cards(), cards, "the cards");
    if (tab !== undefined) await this.page.becomes(() => this.tab(), tab, "the tab");
    if (tree) await this.page.becomes(() => this.tree(), tree, "the tree");
    if (figures) {
      const known = async () => {
        const all = await this.figures();
        return Object.fromEntries(Object.keys(figures).map((name) => [name, all[name]]));
      };
      await this.page.becomes(known, figures, "the figures");
    }
  }

  /** Returns the button of an event. @param {string} event */
  button(event) {
    return this.device.get("button", event);
  }

  /** Returns the form of an event with a payload. @param {string} event */
  form(event) {
    return this.device.get("group", event);
  }

  /** Opens the collapsed form of an event's payload. @param {string} event */
  async edit(event) {
    const form = this.form(event), way = form.get("button", new RegExp(`^(JSON|Form) of ${event}$`));
    if (!await way.exists()) await form.get("DisclosureTriangle", new RegExp(`^Payload of ${event}: `)).click();
    await way.appears();
    return form;
  }

  /** Switches an event's payload to the field for JSON, and returns the field. @param {string} event */
  async payload(event) {
    const form = await this.edit(event), turn = form.get("button", `JSON of ${event}`);
    if (await turn.exists()) await turn.click();
    return form.get("textbox", `Payload of ${event}`);
  }

  /**
   * Sends an event as a user does.
   * @param {string} event
   * @param {object | string} [payload] instead of the example; a string is typed unchanged
   */
  async send(event, payload) {
    if (payload !== undefined) {
      const text = typeof payload === "string" ? payload : JSON.stringify(payload);
      await (await this.payload(event)).fill(text);
    }
    await this.button(event).click();
  }

  /** @param {string} name of a tab to tap */
  async select(name) {
    await this.tabs.get("tab", name).click();
  }
}

/** @param {{level: number, type: string}[]} nodes in the order of the document */
function written(nodes) {
  const children = (at) => {
    const own = [];
    for (let next = at + 1; next < nodes.length && nodes[next].level > nodes[at].level; next++) {
      if (nodes[next].level === nodes[at].level + 1) own.push(children(next));
    }
    return own.length ? `${nodes[at].type}→[${own.join(", ")}]` : nodes[at].type;
  };
  return nodes.length ? children(0) : "";
}
