import UsherBytes

extension PackageTemplate {
    var deploymentFiles: [String: String] {
        [
            "script/build": buildScript, "Dockerfile": dockerfile, ".dockerignore": dockerIgnore,
            "deploy/\(service).service": unit,
        ]
    }

    /// The server's name in the system, in lower case, because an image's name has no capitals.
    package var service: String { name.lowercased() }

    private var buildScript: String {
        #"""
        #!/usr/bin/env bash
        # Builds the server for operators, and prints the path of the program.
        #
        #     script/build
        #     USHER_BUILD=small script/build    on a machine with 1 GB of memory; an event takes 12 % more instructions
        #
        # Usher builds the program with the options of Usher's own server. Swift's runtime is inside, so the program runs without
        # Swift; lld optimizes the app and the server as one program, by a profile of Usher's samples. Usher's script/build
        # gives the reason for each option.
        set -euo pipefail
        cd "$(dirname "${BASH_SOURCE[0]}")/.."

        # The folder of Usher, which Package.swift names, or which SwiftPM has downloaded.
        usher=$(swift package show-dependencies --format json |
            awk -F '"' '$2 == "name" { name = $4 } $2 == "path" && name == "usher" && !path { path = $4 } END { print path }')
        [[ -x $usher/script/build ]] || {
            echo "build: there is no script/build in Usher's folder, \"$usher\"; name the folder in Package.swift" >&2
            exit 1
        }
        products=$("$usher/script/build" --package-path "$PWD" \#(name))
        echo "$products/\#(name)"

        """#
    }

    private var dockerfile: String {
        #"""
        # Builds an image of the server. In this folder, with Docker 23 or later:
        #
        #     docker build \#(contextOption)--tag \#(service) .
        #     docker run --publish 127.0.0.1:8080:8080 --volume \#(service):/var/lib/\#(service) \#(service)
        #
        # With less than 1.3 GB of memory: --build-arg USHER_BUILD=small, as script/build explains.

        FROM swift:6.3.1-bookworm AS build
        RUN apt-get update \
            && apt-get install --yes --no-install-recommends libjemalloc-dev libmicrohttpd-dev libsqlite3-dev pkg-config \
                zlib1g-dev \
            && rm -rf /var/lib/apt/lists/*
        WORKDIR \#(imageFolder)
        \#(contextCopy)COPY . .
        ARG USHER_BUILD=full
        RUN install "$(script/build)" /usr/local/bin/\#(service)

        FROM debian:12.11-slim
        RUN apt-get update \
            && apt-get install --yes --no-install-recommends libjemalloc2 libmicrohttpd12 libsqlite3-0 libstdc++6 zlib1g \
            && rm -rf /var/lib/apt/lists/*
        COPY --from=build [\#("\(usherInImage)/docker/health".swiftLiteral), "/usr/local/bin/usher-health"]
        COPY --from=build [\#("\(usherInImage)/Public".swiftLiteral), "/usr/local/share/usher/public"]
        COPY --from=build /usr/local/bin/\#(service) /usr/local/bin/\#(service)
        # The journal's folder, for the server's user only. A new volume that is mounted here gets the same owner.
        RUN install --directory --owner 10001 --group 10001 --mode 0700 /var/lib/\#(service)

        # Nobody outside of a container reaches its loopback, so the server listens on all addresses. It answers only requests
        # for these names; to use another name, set USHER_ALLOW_HOST to the names, with commas between them.
        ENV USHER_HOST=0.0.0.0 \
            USHER_PORT=8080 \
            USHER_PUBLIC=/usr/local/share/usher/public \
            USHER_JOURNAL=sqlite:/var/lib/\#(service)/journal.sqlite \
            USHER_ALLOW_HOST="localhost,127.0.0.1,[::1]"
        USER 10001:10001
        EXPOSE 8080
        VOLUME /var/lib/\#(service)
        HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 CMD ["usher-health"]
        ENTRYPOINT ["\#(service)"]
        CMD ["serve"]

        """#
    }

    /// The option that makes Usher's folder available to `docker build`, if it is not a part of the package's folder.
    private var contextOption: String {
        guard case .folder(let path) = usher else { return "" }
        return "--build-context usher=\(path.swiftLiteral) "
    }

    /// The instruction that copies Usher's folder into the image.
    private var contextCopy: String {
        guard case .folder = usher else { return "" }
        return """
            # Usher's folder, which is a context of its own because it may be outside of this one.
            COPY --from=usher [".", \(usherInImage.swiftLiteral)]

            """
    }

    /// The package's folder in the image, as deep as the relative path of Usher's folder requires.
    private var imageFolder: String {
        var depth = 1
        if case .folder(let path) = usher { depth = max(1, path.split(separator: "/").count { $0 == ".." }) }
        return "/build/" + String(repeating: "packages/", count: depth - 1) + name
    }

    /// Usher's folder in the image: the path in Package.swift, or SwiftPM's download.
    private var usherInImage: String {
        guard case .folder(let path) = usher else { return "\(imageFolder)/.build/checkouts/usher" }
        guard !path.hasPrefix("/") else { return path }
        var names = imageFolder.split(separator: "/")
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    private var dockerIgnore: String {
        """
        # The image is built from these files only.
        *
        !Package.swift
        !Package.resolved
        !Sources
        # The manifest names the tests, so their folder must be there.
        !Tests
        !script/build

        """
    }

    private var unit: String {
        #"""
        # Runs \#(name) under systemd. As root, in the folder of the package:
        #
        #     install -D "$(script/build)" /opt/\#(service)/\#(service)
        #     (umask 077; mkdir /etc/\#(service); openssl rand -hex 16 > /etc/\#(service)/token)
        #     cp deploy/\#(service).service /etc/systemd/system/
        #     systemctl enable --now \#(service)
        #
        # /etc/\#(service)/token is the secret that opens /admin and /metrics; the server needs it to start.
        # /etc/\#(service)/environment may have options of `\#(service) serve`: USHER_PUBLIC_URL=https://\#(service).example and,
        # behind a proxy on this machine, USHER_TRUSTED_PROXY=127.0.0.1.

        [Unit]
        Description=\#(name)
        # Without an address to listen on, the server ends.
        Wants=network-online.target
        After=network-online.target
        # The supervisor may be started again any number of times.
        StartLimitIntervalSec=0

        [Service]
        ExecStart=/opt/\#(service)/\#(service) serve --journal sqlite:/var/lib/\#(service)/journal.sqlite \
            --admin-token-file %d/token
        LoadCredential=token:/etc/\#(service)/token
        EnvironmentFile=-/etc/\#(service)/environment
        # systemd creates the user when the server starts.
        DynamicUser=yes
        # The journal's folder, for this user only.
        StateDirectory=\#(service)
        StateDirectoryMode=0700
        UMask=0077

        # Starts the supervisor again if it is killed. A supervisor that ends by itself has logged the reason.
        Restart=on-abnormal
        RestartSec=1
        # The supervisor starts a worker again that took too much memory.
        OOMPolicy=continue
        # The supervisor gets SIGTERM, and passes it on; a drain takes 20 s at most.
        KillMode=mixed
        TimeoutStopSec=30

        NoNewPrivileges=yes
        CapabilityBoundingSet=
        PrivateDevices=yes
        PrivateTmp=yes
        ProtectControlGroups=yes
        ProtectHome=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        ProtectSystem=strict
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
        RestrictNamespaces=yes

        [Install]
        WantedBy=multi-user.target

        """#
    }
}
