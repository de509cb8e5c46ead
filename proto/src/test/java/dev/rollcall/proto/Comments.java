package dev.rollcall.proto;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rules that ask for a comment: on each service, and on each call. */
final class Comments {
  static final List<Rule> RULES =
      List.of(
          new Rule("COMMENT_SERVICE", Comments::silentServices),
          new Rule("COMMENT_RPC", Comments::silentCalls));

  private Comments() {}

  private static Stream<String> silentServices(FileDescriptorProto file) {
    return IntStream.range(0, file.getServiceCount())
        .filter(i -> isSilent(file, List.of(FileDescriptorProto.SERVICE_FIELD_NUMBER, i)))
        .mapToObj(i -> file.getService(i).getName());
  }

  private static Stream<String> silentCalls(FileDescriptorProto file) {
    return IntStream.range(0, file.getServiceCount()).boxed().flatMap(i -> silentCalls(file, i));
  }

  private static Stream<String> silentCalls(FileDescriptorProto file, int i) {
    ServiceDescriptorProto service = file.getService(i);
    return IntStream.range(0, service.getMethodCount())
        .filter(j ->
            isSilent(
                file,
                List.of(
                    FileDescriptorProto.SERVICE_FIELD_NUMBER,
                    i,
                    ServiceDescriptorProto.METHOD_FIELD_NUMBER,
                    j)))
        .mapToObj(j -> service.getName() + "." + service.getMethod(j).getName());
  }

  private static boolean isSilent(FileDescriptorProto file, List<Integer> path) {
    return file.getSourceCodeInfo().getLocationList().stream()
        .filter(location -> location.getPathList().equals(path))
        .map(Location::getLeadingComments)
        .allMatch(String::isBlank);
  }
}
