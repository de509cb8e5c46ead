package dev.rollcall.model;

import dev.rollcall.model.AdoptOptions.ActionAdoptFailure;
import dev.rollcall.model.AdoptOptions.ActionGenericFailure;
import dev.rollcall.model.AdoptOptions.ActionNoJobs;
import dev.rollcall.model.AdoptOptions.ActionUnknown;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A PAM line's options, as tests write them. The module reads real lines. */
final class PamLine {
  private final Map<String, String> given = new HashMap<>();

  private PamLine() {}

  static AdoptOptions options(List<String> words) {
    var line = new PamLine();
    for (String word : words) {
      String[] pair = word.split("=", 2);
      line.given.put(pair[0], pair[1]);
    }
    return line.options();
  }

  private AdoptOptions options() {
    AdoptOptions defaults = AdoptOptions.DEFAULTS;
    var options =
        new AdoptOptions(
            choice("action_no_jobs", ActionNoJobs.class, defaults.actionNoJobs()),
            choice("action_unknown", ActionUnknown.class, defaults.actionUnknown()),
            choice("action_adopt_failure", ActionAdoptFailure.class, defaults.actionAdoptFailure()),
            choice(
                "action_generic_failure",
                ActionGenericFailure.class,
                defaults.actionGenericFailure()),
            flag("ignore_root", defaults.ignoreRoot()),
            flag("single_job_skip_rpc", defaults.singleJobSkipRpc()),
            flag("disable_x11", defaults.disableX11()),
            flag("join_container", defaults.joinContainer()),
            flag("choose", defaults.choose()),
            given.getOrDefault("service", defaults.service()));
    given.remove("service");
    if (!given.isEmpty()) {
      throw new IllegalArgumentException("unknown options: " + given);
    }
    return options;
  }

  private <E extends Enum<E>> E choice(String name, Class<E> values, E otherwise) {
    String text = given.remove(name);
    return text == null ? otherwise : Enum.valueOf(values, text.toUpperCase(Locale.ROOT));
  }

  private boolean flag(String name, boolean otherwise) {
    String text = given.remove(name);
    return text == null ? otherwise : text.equals("1");
  }
}
