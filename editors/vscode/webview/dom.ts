/** Building elements without ever parsing markup: names from programs are text, never HTML. */

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

const SVG = 'http://www.w3.org/2000/svg';

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, attributes, children);
  return element;
}

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') {
      element.addEventListener(name, value);
      if (name === 'click' && !(element instanceof HTMLButtonElement)) makeReachable(element, value);
    } else {
      element.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
}

/** What can be clicked can be reached and pressed with the keyboard. */
function makeReachable(element: Element, press: (event: Event) => void): void {
  if (element.getAttribute('tabindex') === null) element.setAttribute('tabindex', '0');
  if (element.getAttribute('role') === null) element.setAttribute('role', 'button');
  element.addEventListener('keydown', event => {
    if (event instanceof KeyboardEvent && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      press(event);
    }
  });
}

/** A colour of the current theme. */
export function color(name: string, fallback: string): string {
  const value = getComputedStyle(document.body).getPropertyValue(`--vscode-${name}`).trim();
  return value === '' ? fallback : value;
}
