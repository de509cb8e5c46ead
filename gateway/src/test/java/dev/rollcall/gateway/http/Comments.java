package dev.rollcall.gateway.http;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.Descriptors.GenericDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the proto files say of their messages and methods; the compiled ones have no comments. */
final class Comments {
  private static final Path WIRE = Path.of("../proto/target/rollcall.desc");

  /** By the full names of what they are about. */
  private final Map<String, String> comments = new HashMap<>();

  private Comments(FileDescriptorSet files) {
    files.getFileList().forEach(this::read);
  }

  /** Those of the wire that this was built with. */
  static Comments ofTheWire() {
    try {
      return new Comments(FileDescriptorSet.parseFrom(Files.readAllBytes(WIRE)));
    } catch (IOException e) {
      throw new UncheckedIOException(WIRE + " cannot be read", e);
    }
  }

  Optional<String> of(GenericDescriptor described) {
    return Optional.ofNullable(comments.get(described.getFullName()));
  }

  private void read(FileDescriptorProto file) {
    for (Location location : file.getSourceCodeInfo().getLocationList()) {
      if (location.hasLeadingComments()) {
        String text = location.getLeadingComments().strip().replaceAll("\\s*\n\\s*", " ");
        name(file, location.getPathList())
            .ifPresent(name -> comments.put(file.getPackage() + "." + name, text));
      }
    }
  }

  /**
   * @param path of numbers of fields of descriptor.proto and places in them
   */
  private static Optional<String> name(FileDescriptorProto file, List<Integer> path) {
    if (path.size() < 2) {
      return Optional.empty();
    }
    int place = path.get(1);
    return switch (path.getFirst()) {
      case FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER ->
          name(file.getMessageType(place), path.subList(2, path.size()));
      case FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER ->
          path.size() == 2 ? Optional.of(file.getEnumType(place).getName()) : Optional.empty();
      case FileDescriptorProto.SERVICE_FIELD_NUMBER -> {
        var service = file.getService(place);
        yield path.size() == 4
            ? Optional.of(service.getName() + "." + service.getMethod(path.get(3)).getName())
            : Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  private static Optional<String> name(DescriptorProto message, List<Integer> path) {
    if (path.isEmpty()) {
      return Optional.of(message.getName());
    }
    boolean field = path.size() == 2 && path.getFirst() == DescriptorProto.FIELD_FIELD_NUMBER;
    return field
        ? Optional.of(message.getName() + "." + message.getField(path.get(1)).getName())
        : Optional.empty();
  }
}
