package dev.rollcall.gateway.browser;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.rollcall.testkit.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A page as somebody has it before them: what it shows, asks, and complains of. */
public final class BrowserPage implements AutoCloseable {
  private static final Map<String, Integer> KEYS =
      Map.of("Tab", 9, "Enter", 13, "Escape", 27, "ArrowDown", 40, "/", 191);

  private static final int MOST_TABS = 200;

  private final Devtools devtools;
  private final Optional<String> session;
  private final String context;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final AtomicInteger loads = new AtomicInteger();

  BrowserPage(Devtools devtools, String session, String context) {
    this.devtools = devtools;
    this.session = Optional.of(session);
    this.context = context;
    devtools.listen(session, this::happened);
    for (String domain : List.of("Page", "Runtime", "Network", "Log")) {
      call(domain + ".enable", new JsonObject());
    }
    viewport(1280, 900);
  }

  private JsonObject call(String method, JsonObject parameters) {
    return devtools.call(session, method, parameters);
  }

  private void happened(String event, JsonObject said) {
    switch (event) {
      case "Page.loadEventFired" -> loads.incrementAndGet();
      case "Network.requestWillBeSent" ->
          requests.add(said.getAsJsonObject("request").get("url").getAsString());
      case "Runtime.exceptionThrown" ->
          complaints.add("exception " + said.getAsJsonObject("exceptionDetails"));
      case "Runtime.consoleAPICalled" ->
          complaints.add(said.get("type").getAsString() + " " + said.get("args"));
      case "Log.entryAdded" -> {
        JsonObject entry = said.getAsJsonObject("entry");
        JsonElement url = entry.get("url");
        complaints.add(
            "%s %s %s"
                .formatted(
                    entry.get("source").getAsString(),
                    entry.get("text").getAsString(),
                    url == null ? "" : url.getAsString()));
      }
      default -> {
        // Of no interest here.
      }
    }
  }

  /** Returns when the page and its scripts have been loaded. */
  public void open(String address) {
    int before = loads.get();
    // Another view of the same page is not loaded again.
    if (call("Page.navigate", object("url", address)).has("loaderId")) {
      Await.until(address + " is loaded", () -> loads.get() > before);
    }
  }

  /** The value of an expression, of a promise its outcome. */
  public JsonElement evaluate(String expression) {
    JsonObject parameters = object("expression", expression);
    parameters.addProperty("awaitPromise", true);
    parameters.addProperty("returnByValue", true);
    JsonObject said = call("Runtime.evaluate", parameters);
    if (said.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + said.get("exceptionDetails"));
    }
    JsonElement value = said.getAsJsonObject("result").get("value");
    return value == null ? new JsonPrimitive("undefined") : value;
  }

  /** What somebody reads there: what is hidden is not in it. Empty if nothing is there. */
  public String text(String selector) {
    return evaluate("document.querySelector(" + quoted(selector) + ")?.innerText ?? ''")
        .getAsString();
  }

  /** Waits until this is read there. */
  public void shows(String selector, String text) {
    try {
      Await.until(text + " in " + selector, () -> text(selector).contains(text));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; there is: " + text(selector), e);
    }
  }

  /** Presses and lets go. */
  public void press(String key) {
    for (String type : List.of("rawKeyDown", "keyUp")) {
      JsonObject parameters = object("type", type);
      parameters.addProperty("key", key);
      parameters.addProperty("windowsVirtualKeyCode", KEYS.getOrDefault(key, 0));
      if (key.equals("Enter") && type.equals("rawKeyDown")) {
        parameters.addProperty("type", "keyDown");
        parameters.addProperty("text", "\r");
      }
      call("Input.dispatchKeyEvent", parameters);
    }
  }

  /** Presses Tab until what is focused is called so. */
  public void tabTo(String name) {
    var passed = new ArrayList<String>();
    do {
      press("Tab");
      passed.add(focused());
      if (passed.size() > MOST_TABS) {
        throw new AssertionError(name + " is not reached; passed: " + passed);
      }
    } while (!passed.getLast().equals(name));
  }

  /** Writes where the focus is. */
  public void write(String text) {
    call("Input.insertText", object("text", text));
  }

  /** The text, label or place of what has the focus. */
  public String focused() {
    return evaluate(
            "(({activeElement: e}) => e.getAttribute('aria-label') ?? e.labels?.[0]?.innerText"
                + " ?? (e.innerText || e.textContent).trim())(document)")
        .getAsString();
  }

  public void viewport(int width, int height) {
    JsonObject parameters = new JsonObject();
    parameters.addProperty("width", width);
    parameters.addProperty("height", height);
    parameters.addProperty("deviceScaleFactor", 1);
    parameters.addProperty("mobile", width < 600);
    call("Emulation.setDeviceMetricsOverride", parameters);
  }

  /** Whoever answers is taken for who they say they are. */
  public void trustAnyCertificate() {
    var ignore = new JsonObject();
    ignore.addProperty("ignore", true);
    call("Security.setIgnoreCertificateErrors", ignore);
  }

  /**
   * @param name light or dark
   */
  public void scheme(String name) {
    var feature = object("name", "prefers-color-scheme");
    feature.addProperty("value", name);
    var features = new JsonArray();
    features.add(feature);
    var parameters = new JsonObject();
    parameters.add("features", features);
    call("Emulation.setEmulatedMedia", parameters);
  }

  /** From now on the browser is in this time zone. */
  public void zone(String name) {
    call("Emulation.setTimezoneOverride", object("timezoneId", name));
  }

  /** Whether the page, or a part of it, is wider than its place. */
  public boolean scrollsSideways() {
    return evaluate(
            """
            [document.scrollingElement, ...document.querySelectorAll('main *')].some(e =>
              e.scrollWidth > e.clientWidth && /auto|scroll|visible/.test(getComputedStyle(e).overflowX)
              && getComputedStyle(e).display !== 'inline' && e.clientWidth > 1)
            """)
        .getAsBoolean();
  }

  /** The page as it is shown, without what has to be scrolled to. */
  public void screenshot(Path file) throws IOException {
    String data = call("Page.captureScreenshot", object("format", "png")).get("data").getAsString();
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(data));
  }

  /**
   * Fails if it asked anybody else for anything, or if anything was written to the console.
   *
   * @param expected parts of what may be written: what the test has brought about
   */
  public void isInOrder(String origin, String... expected) {
    List<String> wrong =
        Stream.concat(
                requests.stream().filter(url -> !url.startsWith(origin + "/")),
                complaints.stream()
                    .filter(text -> Arrays.stream(expected).noneMatch(text::contains)))
            .toList();
    if (!wrong.isEmpty()) {
      throw new AssertionError(String.join("\n", wrong));
    }
  }

  static JsonObject object(String name, String value) {
    var object = new JsonObject();
    object.addProperty(name, value);
    return object;
  }

  public static String quoted(String text) {
    return new JsonPrimitive(text).toString();
  }

  @Override
  public void close() {
    devtools.call(
        Optional.empty(), "Target.disposeBrowserContext", object("browserContextId", context));
  }
}
