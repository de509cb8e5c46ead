package dev.rollcall.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rollcall.gateway.browser.BrowserPage;
import dev.rollcall.gateway.browser.Chromium;
import dev.rollcall.gateway.browser.SharedChromium;
import dev.rollcall.gateway.console.Console;
import dev.rollcall.gateway.http.HttpApi;
import dev.rollcall.testkit.process.Await;
import dev.rollcall.wire.grpc.GrpcServices;
import dev.rollcall.wire.grpc.GrpcServices.Certificates;
import dev.rollcall.wire.grpc.KeepAlive;
import dev.rollcall.wire.grpc.PeerBounds;
import dev.rollcall.wire.grpc.VertxSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The console in a real browser, at an API whose every text is hostile. */
@Tag("browser")
@ExtendWith(SharedChromium.class)
@Timeout(300)
class HostileNamesTest {
  private static final String MARKUP =
      "<script>window.ran=1</script><img src=x onerror=window.ran=1>"
          + "<svg onload=window.ran=1></svg>\"'`&lt;</td></table><iframe src=javascript:0>";

  /** What a hostile node, user or process would be called. */
  static List<String> names() {
    return List.of(
        MARKUP,
        "javascript:window.ran=1",
        // Right-to-left override, embedding and isolate, left open; zero width; a line separator.
        "\u202Eelbatrofmocnu\u202B\u2067\u200B\u2028end" + MARKUP,
        "\u0000\u0007\u001b[31m\b\r\n\t\u009b31m" + MARKUP,
        "x".repeat(4_096) + MARKUP);
  }

  @ParameterizedTest
  @MethodSource("names")
  void areShownAsTextInEveryView(String name, Chromium chromium) throws Exception {
    Vertx vertx = VertxSettings.start(VertxSettings.busy());
    var api = new Console(new HttpApi(vertx, HostileAnswers.services(name), "0.1.0"));
    var listening =
        ended(
            GrpcServices.ofPages(vertx, KeepAlive.CALM, api, PeerBounds.wide())
                .listenTcp("127.0.0.1", 0, Optional.empty(), Certificates.REQUIRED));
    try (BrowserPage page = chromium.page()) {
      page.viewport(360, 740);
      look(page, "http://127.0.0.1:" + listening.port() + "/console/#", name);
    } finally {
      ended(listening.close());
      ended(vertx.close());
    }
  }

  private static void look(BrowserPage page, String console, String name) {
    String part = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    int shown = 0;
    for (String view :
        List.of(
            "/",
            "/nodes",
            "/nodes/" + part,
            "/jobs",
            "/jobs/7",
            "/calls",
            "/adoptions",
            "/adoptions/" + part,
            "/search?q=" + part,
            "/search?q=user%207",
            "/search?q=10.0.0.1:40000%2010.0.0.2:22")) {
      page.open(console + view);
      Await.until(view + " is there", () -> page.text("main").length() > 20);
      Await.until(
          view + " has asked",
          () -> page.evaluate("document.querySelector('main h2') !== null").getAsBoolean());
      assertEquals("undefined", page.evaluate("typeof window.ran").getAsString(), view);
      assertEquals(
          0,
          page.evaluate("document.querySelectorAll('main :is(script, img, iframe)').length")
              .getAsInt(),
          view);
      assertEquals(
          0,
          page.evaluate("document.querySelectorAll('a[href^=\"javascript\" i]').length").getAsInt(),
          view);
      assertFalse(page.scrollsSideways(), () -> view + ": " + wide(page));
      shown += page.text("main").contains("ran=1") ? 1 : 0;
    }
    assertTrue(shown >= 4, "the names are hardly shown: in " + shown + " views");
  }

  /** What reaches beyond the right edge, for people. */
  private static String wide(BrowserPage page) {
    return page.evaluate(
            "[document.scrollingElement, ...document.querySelectorAll('main *')].filter(e =>"
                + " e.scrollWidth > e.clientWidth && e.clientWidth > 1"
                + " && getComputedStyle(e).display !== 'inline')"
                + ".map(e => e.tagName + '.' + e.className + ':' + e.textContent.slice(0, 30))"
                + ".join('; ')")
        .getAsString();
  }

  private static <T> T ended(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }
}
