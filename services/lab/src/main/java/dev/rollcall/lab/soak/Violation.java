package dev.rollcall.lab.soak;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that must not be.
 *
 * @param rule which promise is broken, in one word
 * @param atMillis of the soak
 * @param about the session, job or node
 */
record Violation(String rule, long atMillis, String about, String expected, String seen) {
  Violation during(String faults) {
    return faults.isEmpty()
        ? this
        : new Violation(rule, atMillis, about, expected, seen + "; during " + faults);
  }

  Map<String, Object> json(long seed) {
    var json = new LinkedHashMap<String, Object>();
    json.put("rule", rule);
    json.put("seed", seed);
    json.put("at_ms", atMillis);
    json.put("about", about);
    json.put("expected", expected);
    json.put("seen", seen);
    return json;
  }
}
