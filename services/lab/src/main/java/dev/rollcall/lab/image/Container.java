package dev.rollcall.lab.image;

import dev.rollcall.testkit.process.Patience;
import dev.rollcall.testkit.process.Result;
import dev.rollcall.testkit.process.Running;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs an image with runc: its user and command are the image's, its root is read-only, and it has
 * no capability, no network and no writable directory unless one is added.
 */
public final class Container implements AutoCloseable {
  private final Path folder;
  private final String id;
  private final JsonObject spec;
  private final Thread atExit = new Thread(this::remove, "rollcall-container-removal");

  /** The original specification is kept, so that one bundle serves several containers. */
  public Container(Bundle bundle, String id) {
    this.folder = bundle.folder();
    this.id = id;
    this.spec = bundle.config().copy();
    spec.getJsonObject("root").put("readonly", true);
    spec.getJsonObject("process").put("terminal", false).remove("rlimits");
    spec.getJsonObject("linux").put("resources", new JsonObject());
    var mounts = new JsonArray();
    for (Object mount : spec.getJsonArray("mounts")) {
      if (!((JsonObject) mount).getString("destination").equals("/sys/fs/cgroup")) {
        mounts.add(mount);
      }
    }
    spec.put("mounts", mounts);
    capabilities();
  }

  public Container capabilities(String... names) {
    var all = new JsonArray();
    for (String name : names) {
      all.add("CAP_" + name);
    }
    var sets = new JsonObject();
    for (String set : List.of("bounding", "effective", "permitted")) {
      sets.put(set, all);
    }
    spec.getJsonObject("process").put("capabilities", sets);
    return this;
  }

  public Container tmpfs(String place) {
    return mount(place, "tmpfs", "tmpfs", "mode=1777", "size=64m");
  }

  /** Mounts a file with this text. */
  public Container file(String place, String text) {
    try {
      Path file = folder.resolveSibling(id + place.replace('/', '-'));
      Files.writeString(file, text);
      return mount(place, file.toString(), "bind", "bind", "ro");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Mounts a directory of the machine with what is mounted below it. */
  public Container directory(String place) {
    return mount(place, place, "bind", "rbind", "rw");
  }

  private Container mount(String place, String source, String kind, String... options) {
    var mount = new JsonObject().put("destination", place).put("source", source);
    mount.put("type", kind).put("options", new JsonArray(List.of(options)));
    spec.getJsonArray("mounts").add(mount);
    return this;
  }

  /** Is in a namespace of that process, and has none of its own. */
  public Container inNamespaceOf(long pid, String kind, String file) {
    for (Object namespace : spec.getJsonObject("linux").getJsonArray("namespaces")) {
      var known = (JsonObject) namespace;
      if (known.getString("type").equals(kind)) {
        known.put("path", "/proc/" + pid + "/ns/" + file);
      }
    }
    return this;
  }

  public Container command(String... words) {
    spec.getJsonObject("process").put("args", new JsonArray(List.of(words)));
    return this;
  }

  /** Sets a variable besides those of the image. */
  public Container variable(String assignment) {
    spec.getJsonObject("process").getJsonArray("env").add(assignment);
    return this;
  }

  public Running start() {
    try {
      Path bundle = Files.createDirectories(folder.resolveSibling(id + "-bundle"));
      spec.getJsonObject("root").put("path", folder.resolve("rootfs").toString());
      Files.writeString(bundle.resolve("config.json"), spec.encodePrettily());
      Runtime.getRuntime().addShutdownHook(atExit);
      return Running.start(runc("run", "--bundle", bundle.toString(), id));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Result run() {
    return start().await(Patience.ofSeconds(60));
  }

  /** Runs a command in the container. */
  public Result exec(String... words) {
    var command = new ArrayList<>(runc("exec", id));
    command.addAll(List.of(words));
    return Running.run(Patience.ofSeconds(60), command);
  }

  public long pid() {
    Result state = Running.run(Patience.ofSeconds(10), runc("state", id));
    return new JsonObject(state.outOrThrow("runc state")).getLong("pid");
  }

  private List<String> runc(String... words) {
    var command = new ArrayList<>(List.of("runc", "--root", folder.resolveSibling("runc") + ""));
    command.addAll(List.of(words));
    return command;
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // This process is about to end: the hook removes it.
    }
    remove();
  }

  private void remove() {
    Running.run(Patience.ofSeconds(30), runc("delete", "--force", id));
  }
}
