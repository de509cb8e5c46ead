package dev.rollcall.gateway.browser;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** axe-core, which finds what keeps people out: contrast, labels, landmarks, order. */
public final class Axe {
  private static final String RESOURCE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  private static final String RUN =
      """
      axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']})
        .then(({violations}) => violations.map(({id, help, nodes}) =>
          `${id}: ${help}: ${nodes.slice(0, 3).map(({html, failureSummary}) =>
            html.slice(0, 200) + ' ' + failureSummary).join(' | ')}`).join('\\n'))
      """;

  private final String script;

  public Axe() throws IOException {
    try (InputStream stream = Axe.class.getResourceAsStream(RESOURCE)) {
      if (stream == null) {
        throw new IOException(RESOURCE + " is not among the classes");
      }
      script = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** What it finds on the page; empty: nothing. */
  public String findings(BrowserPage page) {
    page.evaluate("globalThis.axe || (() => { " + script + " })(), 0");
    return page.evaluate(RUN).getAsString();
  }
}
