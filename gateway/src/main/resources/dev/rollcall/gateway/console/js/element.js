// Makes elements. Nothing is ever read as markup, so what a node tells can only be text.

const SVG = 'http://www.w3.org/2000/svg';

/** An element of HTML. `on` holds what listens to events; children are elements or texts. */
export function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(made, { on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) {
      made.setAttribute(name, '');
    } else if (value !== false && value !== undefined && value !== null) {
      made.setAttribute(name, value);
    }
  }
  for (const [event, listener] of Object.entries(on)) {
    made.addEventListener(event, listener);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function link(href, text) {
  return element('a', { href }, text);
}

/** A heading and what is under it. The heading can be focused: a change of the view goes there. */
export function section(level, title, ...children) {
  return element('section', {}, element(`h${level}`, level === 2 ? { tabindex: -1 } : {}, title), ...children);
}

/** Sets a text only if it is another one, so that nothing is told twice. */
export function say(where, text) {
  if (where.textContent !== text) {
    where.textContent = text;
  }
}
