package dev.rollcall.cli.text;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The fields of an object of JSON, in the order in which they are printed. */
public final class JsonFields extends LinkedHashMap<String, @Nullable Object> {
  private static final long serialVersionUID = 1;

  /** These and one more; null is a value, too. */
  public JsonFields with(String name, @Nullable Object value) {
    put(name, value);
    return this;
  }

  /** These and a text, with null for the empty one. */
  public JsonFields withText(String name, String text) {
    return with(name, text.isEmpty() ? null : text);
  }
}
